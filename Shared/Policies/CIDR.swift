/// A block of IP addresses that share their first bits (RFC 4632 §3.1, RFC 4291 §2.3).
package struct CIDR: Sendable, Hashable, CustomStringConvertible {
    /// The lowest address of the block.
    package let base: IPAddress
    /// The number of bits that the block's addresses share.
    package let prefixLength: Int

    /// Creates the block of this length around `address`; a length beyond the address's own means the address only.
    package init(around address: IPAddress, prefixLength: Int) {
        let length = min(max(prefixLength, 0), address.bitWidth)
        self.prefixLength = length
        base = address.masked(to: length)
    }

    /// Reads an IP address, or `address/length` whose further bits are zero; returns `nil` if the text has another form.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let address = IPAddress(first) else { return nil }
        var length = address.bitWidth
        if let second = parts.dropFirst().first {
            guard second.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
                let given = Int(second), given <= length
            else { return nil }
            length = given
        }
        self.init(around: address, prefixLength: length)
        guard base == address else { return nil }
    }

    package func contains(_ address: IPAddress) -> Bool {
        address.isIPv6 == base.isIPv6 && address.masked(to: prefixLength) == base
    }

    /// Whether an address is in both blocks.
    func overlaps(_ other: CIDR) -> Bool { contains(other.base) || other.contains(base) }

    package var description: String { "\(base)/\(prefixLength)" }

    static var rule: ValueRule<CIDR> {
        ValueRule("an address, or a block such as 10.0.0.0/8 or 2001:db8::/32", parse: { CIDR($0) })
    }
}

extension IPAddress {
    /// Returns this address with all bits after the first `length` set to zero.
    fileprivate func masked(to length: Int) -> IPAddress {
        let kept = bits & (UInt128.max << UInt128(bitWidth - length))
        return isIPv6 ? IPAddress(ipv6: kept) : IPAddress(ipv4: UInt32(truncatingIfNeeded: kept))
    }
}
