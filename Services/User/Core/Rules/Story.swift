import AuthAPI
import InternalAPI

/// The story of a user from the audits, as sentences: what happened, in which session, who caused it and why.
enum Story {
    /// The sentence of a record. An event without one, such as that of a newer release, has its name.
    static func line(_ record: WholeAuditPage.Record) -> StoryPage.Line {
        let (event, cause) = (record.record.event, Cause(record.record))
        let names = ["\(record.service.rawValue) \(event)", event]
        let said = names.lazy.compactMap { StorySentences.byEvent[$0] }.first ?? event
        let parts = [
            said, cause.detail.map { "(\($0))" }, session(of: record), cause.actor.map { "by \($0)" },
            cause.reason.map { "for the reason \"\($0)\"" },
        ]
        return StoryPage.Line(at: record.record.at, sentence: parts.compactMap(\.self).joined(separator: " ") + ".")
    }

    /// The last refresh of a live session.
    static func line(_ session: SessionSummary) -> StoryPage.Line {
        let device = session.deviceName.map { " on \($0)" } ?? ""
        let isRefreshed = session.lastUsedAt > session.createdAt
        return StoryPage.Line(
            at: session.lastUsedAt,
            sentence: "The session \(session.id)\(device) is live, "
                + (session.acting == true
                    ? "and somebody else acts as the user in it."
                    : isRefreshed ? "and was refreshed last at this time." : "and was not refreshed since its sign-in.")
        )
    }

    /// The session of the user. A record of user-service about an act of somebody else has that one's session.
    private static func session(of record: WholeAuditPage.Record) -> String? {
        let isAnothers = record.service == .user && Cause(record.record).actor != nil
        return isAnothers ? nil : record.record.sessionID.map { "in session \($0)" }
    }

    /// The cause of a record and the reason for it, and what else it states.
    private struct Cause {
        var detail: String?
        var actor: String?
        var reason: String?

        init(_ record: AuditPage.Record) {
            var words = (record.detail ?? "").split(separator: " ")
            if let start = words.firstIndex(of: "reason:") {
                reason = words[words.index(after: start)...].joined(separator: " ")
                words = Array(words[..<start])
            }
            if let method = record.method.map({ Substring($0) }), Self.isActor(method) {
                // A word of the detail may look like another one who acted, such as the name of a role.
                actor = Self.name(method)
            } else {
                if let place = words.firstIndex(where: Self.isActor) { actor = Self.name(words.remove(at: place)) }
                if let method = record.method { words.insert(Substring(method), at: 0) }
            }
            detail = words.isEmpty ? nil : words.joined(separator: " ")
        }

        private static let actors = [
            RequestOrigin.operatorMethod, RequestOrigin.administratorMethod, RequestOrigin.clientMethod,
        ]

        /// Whether a word names the one who acted. A client always has a name, and the word alone may be a role.
        private static func isActor(_ word: Substring) -> Bool {
            actors.contains { word.hasPrefix($0 + ":") || word == $0 && $0 != RequestOrigin.clientMethod }
        }

        private static func name(_ word: Substring) -> String {
            "the " + word.split(separator: ":", maxSplits: 1).joined(separator: " ")
        }
    }
}
