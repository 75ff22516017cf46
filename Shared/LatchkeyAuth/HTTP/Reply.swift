import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A response of the server, or of something that stands between.
struct Reply: Sendable {
    let status: Int
    /// The body, if it is a JSON object.
    let json: JSONValue?
    let requestID: String?
    let entityTag: String?
    private let retryAfterHeader: String?
    /// Whether a challenge wants a more recent authentication (RFC 9470).
    private let isChallenged: Bool

    init(_ data: Data, _ response: HTTPURLResponse) {
        status = response.statusCode
        let body = JSONText.decode(data)
        json = body?.members == nil ? nil : body
        requestID = response.value(forHTTPHeaderField: "X-Request-Id").flatMap(Self.word)
        entityTag = response.value(forHTTPHeaderField: "ETag")
        let challenge = response.value(forHTTPHeaderField: "WWW-Authenticate") ?? ""
        isChallenged = challenge.contains("error=\"\(Self.insufficient)\"")
        retryAfterHeader = response.value(forHTTPHeaderField: "Retry-After")
    }

    /// The JSON of a good response.
    /// - Parameter missing: the error that a path stands for which does not exist.
    func success(orMissing missing: AuthError? = nil) throws(AuthError) -> JSONValue {
        if let missing, status == 404, code == "not_found" { throw missing }
        // 202: it is done later.
        guard (200...202).contains(status) else { throw error }
        guard let json else { throw .notLatchkey }
        return json
    }

    /// The stable code of an error: that of a challenge, `code`, or else `error`.
    var code: String? {
        if isChallenged { return Self.insufficient }
        return member("code")?.text.flatMap(Self.word) ?? member("error")?.text.flatMap(Self.word)
    }

    /// The code with which an account that is not active is refused.
    static let inactive = "account_inactive"

    /// The code of RFC 9470: the user showed too long ago who they are.
    static let insufficient = "insufficient_user_authentication"

    /// An objection to the session with which a request was sent.
    enum Objection: Sendable {
        /// The access token is refused.
        case token
        /// The account is not active.
        case inactive
        /// The user has to show again who they are.
        case recency
    }

    var isForbidden: Bool { status == 403 }

    /// The objection in a response of the server's own API. A 401 with another code than those of tokens is about a proof.
    var objection: Objection? {
        switch (status, code) {
        case (403, Self.inactive): .inactive
        case (403, "reauthentication_required"), (401, Self.insufficient): .recency
        case (401, nil), (401, "invalid_token"), (401, "missing_token"), (401, "token_expired"): .token
        default: nil
        }
    }

    /// Why the server has refused a refresh token: `expired`, `superseded` and so on. Older servers do not say it.
    var reason: String? { member("reason")?.text }

    var retryAfter: Duration? {
        let seconds = retryAfterHeader.flatMap { Int64($0) } ?? member("retryAfter")?.whole
        return seconds.flatMap { (0...Int64(Int32.max)).contains($0) ? .seconds($0) : nil }
    }

    func member(_ name: String) -> JSONValue? { json?.members?[name] }

    /// A text that is safe to log: at most 64 letters, digits and `_ - .`.
    static func word(_ text: String) -> String? {
        let isWord = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."):
                true
            default: false
            }
        }
        return isWord && (1...64).contains(text.utf8.count) ? text : nil
    }
}

extension Tokens {
    /// The tokens of a response, or `nil` if it is not the expected JSON.
    init?(_ json: JSONValue?) {
        guard let members = json?.members, let access = members["accessToken"]?.text.flatMap(Self.token),
            let refresh = members["refreshToken"]?.text.flatMap(Self.token), let life = members["expiresIn"]?.whole,
            Self.lifetimes.contains(life)
        else { return nil }
        self.init(accessToken: access, refreshToken: refresh, expiresIn: life)
    }

    /// A text that may be part of a header: visible ASCII.
    private static func token(_ text: String) -> String? {
        (1...8192).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7e).contains($0) } ? text : nil
    }
}
