import AccessTokens
import EdgeHTTP
import NIOCore

/// The content of a request's Authorization header (RFC 6750 section 2.1). Tokens in URLs and bodies are never read.
enum BearerCredential: Equatable {
    case missing
    case token([UInt8])
    /// More than one header, another scheme, or characters that no token has.
    case malformed

    init(_ head: RequestHead) {
        guard let value = head.first(.authorization) else {
            self = .missing
            return
        }
        self = head.count(.authorization) == 1 ? Self(parsing: value) : .malformed
    }

    /// Reads the credential for a route at which a token is optional, or returns `nil` if the request presents none.
    ///
    /// Credentials of another scheme, such as `Basic`, are no token. A header that is not valid credentials, or one of several
    /// headers, could be meant as a token, and is malformed.
    static func presented(by head: RequestHead) -> BearerCredential? {
        let credential = BearerCredential(head)
        switch credential {
        case .missing: return nil
        case .malformed
        where head.count(.authorization) == 1 && head.first(.authorization).map(isOfAnotherScheme) == true:
            return nil
        case .malformed, .token: return credential
        }
    }

    /// Whether a value is a scheme other than `Bearer`, a space, and something after it (RFC 9110 section 11.4).
    private static func isOfAnotherScheme(_ value: some Collection<UInt8>) -> Bool {
        let scheme = value.prefix(while: ByteClass.isToken)
        let rest = value.dropFirst(scheme.count)
        guard !scheme.isEmpty, rest.first == UInt8(ascii: " "), rest.count > 1 else { return false }
        return !scheme.map(ByteClass.lowercased).elementsEqual("bearer".utf8)
    }

    /// Reads a token that comes without a scheme.
    init(token: [UInt8]) { self = BearerToken.isToken(token) ? .token(token) : .malformed }

    /// Reads a header's value.
    init(parsing value: some Collection<UInt8>) {
        self = BearerToken.parse(Array(value)).map { .token(Array($0)) } ?? .malformed
    }
}
