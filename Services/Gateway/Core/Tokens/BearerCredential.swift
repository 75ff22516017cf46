import AccessTokens
import EdgeHTTP
import NIOCore

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
        self = BearerToken.parse(Array(value)).map { .token(Array($0)) } ?? .malformed
    }
}
