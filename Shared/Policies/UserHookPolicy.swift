/// The events that the app's back end gets at `USER_HOOK_URL`.
package struct UserHookPolicy: Sendable, Equatable {
    /// A member of a user that events may contain.
    package enum Member: String, Sendable, CaseIterable {
        case phoneNumber, email, name, role, attributes
    }

    /// The forms of `session.revoked`.
    package enum Format: String, Sendable, CaseIterable {
        case plain
        /// With a signed Security Event Token (RFC 8417) in addition.
        case set
    }

    package var include: [Member] = []
    package var keepDays = 7
    package var format = Format.plain

    package init() {}
}

extension UserHookPolicy {
    static let keys: [Key<Self>] = [
        Key(
            "include", \.include, .values(0...Member.allCases.count, .choice),
            "The members of the user that events contain in addition to ids and kinds, as they are when an event is sent.",
            example: "[role, name]"),
        Key(
            "keepDays", \.keepDays, .integer(1...90),
            "The days for which delivered events are kept, so that `latchkeyctl outbox replay` can send them again."),
        Key(
            "format", \.format, .choice,
            "Whether session.revoked also contains a signed Security Event Token: `plain` or `set`."),
    ]

    func check(_ section: PolicySection) {
        guard Set(include).count != include.count else { return }
        section.refuse("include", "contains a member twice. Name each once.")
    }
}
