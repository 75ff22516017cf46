import InternalAPI
import Logging
import Policies
import ServiceKit
import Storage
import UserEvents

/// The bodies of events of users, with the members that the policy includes.
///
/// Members are read when an event is posted, so that none is stored with an event, and none of a removed user is sent.
struct UserEventBodies: Sendable {
    let queries: any UserQueries
    let userIDPrefix: String
    let attributes: AttributeRules
    let include: [UserHookPolicy.Member]
    let logger: Logger
    private let lines = LogLimit()

    init(_ policy: Policy, queries: any UserQueries, logger: Logger) {
        (self.queries, self.logger) = (queries, logger)
        userIDPrefix = policy.userIDPrefix
        attributes = AttributeRules(declared: policy.attributes)
        include = policy.userHook.include
    }

    func callAsFunction(_ events: [QueuedEvent]) async throws -> [EventBody] {
        let users = include.isEmpty ? [] : try await users(Set(events.map(\.user)).compactMap(UserID.init))
        let known = Dictionary(users.map { ($0.id.bytes, members(of: $0)) }) { first, _ in first }
        return events.map { event in
            var body = EventBody(event, userID: text(event.user))
            body.data.mergedInto = event.subject.map(text)
            body.data.user = known[event.user]
            return body
        }
    }

    /// Reads users, without those whose rows are damaged: their events go out without members, so that they hold back no others.
    private func users(_ ids: [UserID]) async throws -> [User] {
        do { return try await queries.users(ids) } catch let error as StorageError where error.code == .corrupt {
            guard ids.count > 1 else {
                if lines.allows("user unread") {
                    logger.error("user_hook.user_unread", metadata: ["cause": "\(error)"])
                }
                return []
            }
            let half = ids.count / 2
            return try await users(Array(ids[..<half])) + users(Array(ids[half...]))
        }
    }

    private func text(_ id: [UInt8]) -> String { UserID(bytes: id)?.text(prefix: userIDPrefix) ?? "" }

    private func members(of user: User) -> EventMembers {
        var members = EventMembers()
        for member in include {
            switch member {
            case .phoneNumber: members.set(member.rawValue, user.phone)
            case .email: members.set(member.rawValue, user.email)
            case .name: members.set(member.rawValue, user.name)
            case .role: members.set(member.rawValue, user.role)
            case .attributes: members.set(member.rawValue, attributes.shown(user.attributes))
            }
        }
        return members
    }
}
