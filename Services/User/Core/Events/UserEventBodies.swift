import InternalAPI
import Policies
import UserEvents

/// The bodies of events of users, with the members that the policy includes.
///
/// Members are read when an event is posted, so that none is stored with an event, and none of a removed user is sent.
struct UserEventBodies: Sendable {
    let queries: any UserQueries
    let userIDPrefix: String
    let attributes: AttributeRules
    let include: [UserHookPolicy.Member]

    init(_ policy: Policy, queries: any UserQueries) {
        self.queries = queries
        userIDPrefix = policy.userIDPrefix
        attributes = AttributeRules(declared: policy.attributes)
        include = policy.userHook.include
    }

    func callAsFunction(_ events: [QueuedEvent]) async throws -> [EventBody] {
        let users = include.isEmpty ? [] : try await queries.users(Set(events.map(\.user)).compactMap(UserID.init))
        let known = Dictionary(users.map { ($0.id.bytes, members(of: $0)) }) { first, _ in first }
        return events.map { event in
            var body = EventBody(event, userID: text(event.user))
            body.data.mergedInto = event.subject.map(text)
            body.data.user = known[event.user]
            return body
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
