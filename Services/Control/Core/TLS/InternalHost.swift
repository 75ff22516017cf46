import ArgumentParser
import Glibc
import TLSPairs

/// The names and IP addresses of a host in the certificate of its services.
struct InternalHost: ExpressibleByArgument, Equatable {
    private static let nameBytesMax = 253
    private static let labelBytesMax = 63
    /// The bound on a subject's common name (RFC 5280 appendix A, ub-common-name).
    private static let commonNameBytesMax = 64

    /// At least one; the first one is that of its files.
    let names: [String]

    init?(argument: String) {
        let names = argument.lowercased().split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard names.allSatisfy(Self.isValid), let first = names.first, first != InternalAuthority.name,
            first.utf8.count <= Self.commonNameBytesMax
        else { return nil }
        self.names = names
    }

    init(of pair: TLSPair) { names = pair.names }

    /// The names as openssl writes them.
    var text: String { names.map { Self.isAddress($0) ? "IP:\($0)" : "DNS:\($0)" }.joined(separator: ",") }

    private static func isValid(_ name: String) -> Bool {
        if isAddress(name) { return true }
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        return name.utf8.count <= nameBytesMax
            && labels.allSatisfy { label in
                !label.isEmpty && label.utf8.count <= labelBytesMax && !label.hasPrefix("-")
                    && label.utf8.allSatisfy { byte in
                        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "-_".utf8.contains(byte)
                    }
            }
    }

    private static func isAddress(_ name: String) -> Bool {
        var (v4, v6) = (in_addr(), in6_addr())
        return unsafe inet_pton(AF_INET, name, &v4) == 1 || inet_pton(AF_INET6, name, &v6) == 1
    }
}
