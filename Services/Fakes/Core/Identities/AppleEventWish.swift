import StrictJSON

/// A notification that a test requests. A member that is absent has the value of a valid notification.
struct AppleEventWish: Codable, Sendable {
    /// Apple's type, such as `consent-revoked`.
    var type: String
    var subject: String
    /// The seconds since the event.
    var secondsAgo: Int64?
    /// Whether `events` is an object. Apple sends a text.
    var isObject: Bool?
    /// Other options, which are those of an identity token.
    var token: TokenWish?

    private struct Content: Encodable {
        let type, sub: String
        let eventTime: Int64
        let isPrivateEmail = "true"

        enum CodingKeys: String, CodingKey {
            case type, sub
            case eventTime = "event_time"
            case isPrivateEmail = "is_private_email"
        }
    }

    /// The wish as an identity token with the claim `events`.
    ///
    /// - Parameter now: Unix time in seconds.
    func asToken(now: Int64) throws -> TokenWish {
        let content = Content(type: type, sub: subject, eventTime: (now - (secondsAgo ?? 0)) * 1_000)
        let text = String(decoding: try StrictJSON.encode(content), as: UTF8.self)
        var wish = token ?? TokenWish()
        let quoted = String(decoding: try StrictJSON.encode(text), as: UTF8.self)
        wish.claims = ["events": isObject == true ? text : quoted].merging(wish.claims ?? [:]) { _, own in own }
        wish.without = (wish.without ?? []) + ["sub", "auth_time"]
        wish.lifetimeSeconds = wish.lifetimeSeconds ?? 86_400
        return wish
    }
}
