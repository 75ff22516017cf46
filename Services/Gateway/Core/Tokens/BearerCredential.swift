internal import EdgeHTTP
internal import NIOCore

/// What a request's Authorization header says (RFC 6750 section 2.1); tokens in URLs and bodies are never read.
enum BearerCredential: Equatable {
    case missing
    case token([UInt8])
    /// More than one header, another scheme, or characters no token has.
    case malformed

    init(_ head: RequestHead) {
        guard let value = head.first(.authorization) else {
            self = .missing
            return
        }
        self = head.count(.authorization) == 1 ? Self(parsing: value) : .malformed
    }

    /// Reads a header's value.
    init(parsing value: some Collection<UInt8>) {
        guard value.prefix(Self.scheme.count).elementsEqual(Self.scheme, by: { $0 | 0x20 == $1 || $0 == $1 }) else {
            self = .malformed
            return
        }
        let token = value.dropFirst(Self.scheme.count).drop { $0 == UInt8(ascii: " ") }
        self =
            !token.isEmpty && token.allSatisfy { ASCIISet.bearerToken.contains($0) } ? .token(Array(token)) : .malformed
    }

    /// Lower case; the scheme's case does not count (RFC 9110 section 11.1).
    private static let scheme = Array("bearer ".utf8)
}
