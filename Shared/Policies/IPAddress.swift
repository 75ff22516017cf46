/// The IP address of a client or proxy. IPv4 inside IPv6 (`::ffff:a.b.c.d`) is the IPv4 address.
package struct IPAddress: Sendable, Hashable {
    /// The bits in network order, from the most significant; an IPv4 address fills the low 32.
    package let bits: UInt128
    package let isIPv6: Bool

    package init(ipv4: UInt32) {
        bits = UInt128(ipv4)
        isIPv6 = false
    }

    package init(ipv6: UInt128) {
        let isMapped = ipv6 >> 32 == 0xFFFF
        bits = isMapped ? ipv6 & 0xFFFF_FFFF : ipv6
        isIPv6 = !isMapped
    }

    /// The number of bits of an address of this family.
    package var bitWidth: Int { isIPv6 ? 128 : 32 }

    /// Whether the address belongs to this machine or to a network that the internet does not route
    /// (RFC 1918, RFC 4193, loopback, link-local); carriers' shared space (RFC 6598) is not among them.
    package var isLoopbackOrPrivate: Bool { Self.localBlocks.contains { $0.contains(self) } }

    /// Whether the address belongs to this machine.
    package var isLoopback: Bool { Self.loopbackBlocks.contains { $0.contains(self) } }

    /// Whether a host leads only to this machine.
    ///
    /// - Parameter host: a name in lower case, or an IP address without brackets.
    package static func isLoopback(host: String) -> Bool {
        host == "localhost" || IPAddress(Substring(host))?.isLoopback == true
    }

    /// The blocks that a limit by IP address counts, the narrowest first. For IPv4 this is the address itself. For IPv6 it is
    /// the /64, which one customer has, and the /56 and /48, which providers assign to any customer, with 4 and 16 times the
    /// maximum. A request is within a limit if all of its blocks have room.
    package var limitScopes: [LimitScope] {
        guard isIPv6 else { return [LimitScope(block: CIDR(around: self, prefixLength: 32), factor: 1)] }
        return [(64, 1), (56, 4), (48, 16)].map { bits, factor in
            LimitScope(block: CIDR(around: self, prefixLength: bits), factor: factor)
        }
    }

    /// The block whose clients count as recognised after a sign-in: IPv4 /24, IPv6 /48.
    package var knownScope: CIDR { block(ipv4Bits: 24, ipv6Bits: 48) }

    private func block(ipv4Bits: Int, ipv6Bits: Int) -> CIDR {
        CIDR(around: self, prefixLength: isIPv6 ? ipv6Bits : ipv4Bits)
    }

    private static let loopbackBlocks = [
        CIDR(around: IPAddress(ipv4: 0x7F00_0000), prefixLength: 8),
        CIDR(around: IPAddress(ipv6: 1), prefixLength: 128),
    ]

    private static let localBlocks =
        loopbackBlocks + [
            CIDR(around: IPAddress(ipv4: 0x0A00_0000), prefixLength: 8),
            CIDR(around: IPAddress(ipv4: 0xAC10_0000), prefixLength: 12),
            CIDR(around: IPAddress(ipv4: 0xC0A8_0000), prefixLength: 16),
            CIDR(around: IPAddress(ipv4: 0xA9FE_0000), prefixLength: 16),
            CIDR(around: IPAddress(ipv6: UInt128(0xFC00) << 112), prefixLength: 7),
            CIDR(around: IPAddress(ipv6: UInt128(0xFE80) << 112), prefixLength: 10),
        ]
}
