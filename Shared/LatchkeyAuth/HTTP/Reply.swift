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

    init(_ data: Data, _ response: HTTPURLResponse) {
        status = response.statusCode
        let body = JSONText.decode(data)
        json = body?.members == nil ? nil : body
        requestID = response.value(forHTTPHeaderField: "X-Request-Id").flatMap(Self.word)
        entityTag = response.value(forHTTPHeaderField: "ETag")
        retryAfterHeader = response.value(forHTTPHeaderField: "Retry-After")
    }

    /// The JSON of a good response.
    func success() throws(AuthError) -> JSONValue {
        guard status == 200 else { throw error }
        guard let json else { throw .notLatchkey }
        return json
    }

    /// The stable code of an error: `code`, or else `error`.
    var code: String? { member("code")?.text.flatMap(Self.word) ?? member("error")?.text.flatMap(Self.word) }

    /// Why the server has refused a refresh token: `expired`, `superseded` and so on. Older servers do not say it.
    var reason: String? { member("reason")?.text }

    /// The error that a bad response stands for.
    var error: AuthError {
        switch status {
        case 429: .rateLimited(retryAfter: retryAfter ?? .seconds(30))
        case 500...599: .unavailable(retryAfter: retryAfter)
        case 400..<500:
            if let code {
                Self.error(status, code, requestID)
            } else if isCodeRefusal {
                .codeRefused
            } else {
                .notLatchkey
            }
        default: .notLatchkey
        }
    }

    /// Whether it is the response to a wrong code, which has a sentence in place of a code.
    private var isCodeRefusal: Bool {
        status == 401 && member("success") == .boolean(false) && member("error")?.text != nil
    }

    private static func error(_ status: Int, _ code: String, _ requestID: String?) -> AuthError {
        switch code {
        case "invalid_code", "code_expired", "invalid_link": .codeRefused
        case "invalid_credentials", "wrong_password": .passwordRefused
        case "account_inactive": .accountInactive
        case "not_invited": .notInvited
        case "deletion_scheduled": .deletionScheduled
        case "invalid_phone", "blocked_country": .invalid(field: "phoneNumber", code: code)
        case "invalid_email", "undeliverable_email": .invalid(field: "email", code: code)
        case "weak_password": .invalid(field: "password", code: code)
        case "unsupported_channel": .invalid(field: "channel", code: code)
        default: .refused(status: status, code: code, requestID: requestID)
        }
    }

    private var retryAfter: Duration? {
        let seconds = retryAfterHeader.flatMap { Int64($0) } ?? member("retryAfter")?.whole
        return seconds.flatMap { (0...Int64(Int32.max)).contains($0) ? .seconds($0) : nil }
    }

    private func member(_ name: String) -> JSONValue? { json?.members?[name] }

    /// A text that is safe to log: at most 64 letters, digits and `_ - .`.
    private static func word(_ text: String) -> String? {
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
