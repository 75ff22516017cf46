import CryptoPrimitives

/// A refresh token of the Supabase project that a deployment replaces. It is presented to that project once, for a session here.
package struct PreviousToken: Sendable, Equatable {
    /// The begin of the ids of grants that such tokens lead to.
    package static let grantIDPrefix = "previous:"
    private static let hashContext = "latchkey:previous:"
    private static let keyContext = "latchkey:previous-key:"

    /// The token itself; never stored as it is, never logged.
    package let text: String

    /// Creates a token from its text, or returns `nil` if it has another shape: 12 letters and digits, or 51 to 63 characters
    /// of base64url. A token of ours has 64 digits behind its tag.
    package init?(_ text: String) {
        let bytes = text.utf8
        let isOld = bytes.count == 12 && bytes.allSatisfy(Self.isAlphanumeric)
        let isNew = (51...63).contains(bytes.count) && bytes.allSatisfy(Self.isBase64URL)
        guard isOld || isNew else { return nil }
        self.text = text
    }

    /// The id of the only grant that the token leads to. token-service keeps it as the parent of the session's first token.
    package var grantID: String { Self.grantIDPrefix + hash(Self.hashContext) }

    /// The key with which the session is opened, so that each repeat gets the same first token.
    package var idempotencyKey: String { hash(Self.keyContext) }

    private func hash(_ context: String) -> String { Base64URL.encode(SHA256.hash(Array((context + text).utf8))) }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: false
        }
    }

    private static func isBase64URL(_ byte: UInt8) -> Bool { isAlphanumeric(byte) || "-_".utf8.contains(byte) }
}

/// Requests the session that a token of the old server has opened before.
package struct PreviousRepeatRequest: Codable, Sendable, Equatable {
    package var refreshToken: String
    /// The client's dialect.
    package var dialect: String

    package init(refreshToken: String, dialect: String) { (self.refreshToken, self.dialect) = (refreshToken, dialect) }
}

/// Presents a refresh token to the old server.
package struct PreviousSessionRequest: Codable, Sendable, Equatable {
    package var refreshToken: String
    /// The public key of the old project, which the client sends.
    package var apiKey: String?
    /// The client's IP address, by which refused tokens are counted.
    package var address: String

    package init(refreshToken: String, apiKey: String?, address: String) {
        (self.refreshToken, self.apiKey, self.address) = (refreshToken, apiKey, address)
    }
}

/// The outcome of presenting a token to the old server.
package enum PreviousSessionResult: String, Codable, Sendable, CaseIterable {
    case proved
    /// The old server knows no such session.
    case refused
    /// The old server did not respond as it should, or its user is not imported yet. Another attempt may succeed.
    case unavailable
    /// The user is deactivated, scheduled for deletion, or under review.
    case inactive
    /// The user needs a second factor, which no old session has shown.
    case secondFactorRequired = "second_factor_required"
    /// The client's network has presented too many tokens that were refused.
    case rateLimited = "rate_limited"
    /// The policy has no old server, or its time is over.
    case off
}

package struct PreviousSessionAnswer: Codable, Sendable, Equatable {
    package var result: PreviousSessionResult
    /// The grant for one session; only with `proved`.
    package var grant: String?
    /// Only with `rateLimited`.
    package var retryAfterSeconds: Int64?

    package init(_ result: PreviousSessionResult, grant: String? = nil, retryAfterSeconds: Int64? = nil) {
        (self.result, self.grant, self.retryAfterSeconds) = (result, grant, retryAfterSeconds)
    }
}
