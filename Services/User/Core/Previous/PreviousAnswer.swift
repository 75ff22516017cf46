import AccessTokens
import ServiceCalls
import StrictJSON

/// The meaning of the old server's response to a refresh: a pure decision.
///
/// Only Supabase Auth's own refusals of a token sign a client out. All other responses, also those of a proxy in front of it, mean
/// that another attempt may succeed.
enum PreviousAnswer: Sendable, Equatable {
    /// The UUID of the user, and the session's next tokens there.
    case session(user: String, accessToken: String, refreshToken: String)
    case refused
    /// The response states nothing about the token; the name is for the metrics.
    case unavailable(String)

    static let bytesMax = 256 * 1024
    private static let depthMax = 32
    private static let tokenBytesMax = 8_192
    /// `invalid_grant` is what versions before 2024 answer.
    private static let refusals: Set = [
        "refresh_token_not_found", "refresh_token_already_used", "session_not_found", "session_expired", "user_banned",
        "user_not_found", "invalid_grant",
    ]

    init(_ answer: ProviderAnswer) {
        guard answer.status == 200 || answer.status == 400 else {
            self = .unavailable("status \(answer.status)")
            return
        }
        let limits = StrictJSON.Limits(bytesMax: Self.bytesMax, depthMax: Self.depthMax)
        let body: JSONObject?
        do throws(StrictJSONError) { body = try StrictJSON.parse(answer.body, limits: limits).objectValue } catch {
            body = nil
        }
        if answer.status == 400 {
            let codes = ["error_code", "code", "error"].compactMap { body?[$0]?.stringValue }
            self = codes.contains(where: Self.refusals.contains) ? .refused : .unavailable("malformed")
        } else if let user = body?["user"]?.objectValue?["id"]?.stringValue,
            let access = Self.token("access_token", body),
            let refresh = Self.token("refresh_token", body)
        {
            self = .session(user: user, accessToken: access, refreshToken: refresh)
        } else {
            self = .unavailable("malformed")
        }
    }

    /// A member of visible ASCII, which can be part of a header.
    private static func token(_ name: String, _ body: JSONObject?) -> String? {
        guard let text = body?[name]?.stringValue, (1...tokenBytesMax).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        return text
    }
}
