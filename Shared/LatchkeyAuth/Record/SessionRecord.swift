/// A session as it is stored: the tokens, and what is needed to renew them after any crash.
struct SessionRecord: Sendable, Equatable {
    /// The base URL. The tokens are never sent anywhere else.
    var origin: String
    var version: StoreVersion
    /// 32 random bytes in base64url, made at the sign-in. Keys of renewals derive from it.
    var secret: String
    var refreshToken: String
    /// `nil` where it is not kept, such as in the background.
    var accessToken: String?
    /// The date at which the access token arrived, in Unix seconds of the device.
    var issuedAt: Int64
    /// The lifetime of the access token in seconds.
    var expiresIn: Int64
    var userID: String
    var user: User?
    /// The key of the proof that has opened the session, so that a repeat of it needs no request.
    var proof: String?
    /// Whether the sign-in has made the account.
    var isNewUser = false
    /// The version of the format in which the record was read.
    var format: Int64 = 1
    /// Members that a later release added. They are kept.
    var others: [String: JSONValue] = [:]

    /// The Idempotency-Key of a renewal with this record's refresh token.
    ///
    /// It derives from the session's secret and the token, so every process and every restart sends the same key for the
    /// same token, without storing it. The server answers a repeat with the same successor, and takes it for no theft.
    var renewalKey: String {
        Base64URL.encode(SHA256.authenticate(Array(refreshToken.utf8), key: Base64URL.decode(secret) ?? []))
    }

    /// The time before the end of an access token at which it is renewed: at most a fifth of its lifetime.
    func early(atMost limit: Duration) -> Duration { min(limit, .seconds(expiresIn) / 5) }

    /// The record after a renewal.
    func renewed(by tokens: Tokens, at wall: Int64) -> SessionRecord {
        var next = self
        next.version = StoreVersion(epoch: version.epoch, generation: version.generation + 1)
        next.refreshToken = tokens.refreshToken
        next.accessToken = tokens.accessToken
        next.issuedAt = wall
        next.expiresIn = tokens.expiresIn
        return next
    }
}

/// The tokens of a response.
struct Tokens: Sendable, Equatable {
    let accessToken: String
    let refreshToken: String
    /// The lifetime of the access token in seconds.
    let expiresIn: Int64
}

/// Prints no token.
extension SessionRecord: CustomStringConvertible, CustomReflectable {
    var description: String { "SessionRecord(\(userID), \(version))" }
    var customMirror: Mirror { Mirror(self, children: ["userID": userID]) }
}

extension Tokens: CustomStringConvertible, CustomReflectable {
    var description: String { "Tokens(‹redacted›)" }
    var customMirror: Mirror { Mirror(self, children: [:]) }
}
