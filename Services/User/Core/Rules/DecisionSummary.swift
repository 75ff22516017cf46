import CryptoPrimitives
package import InternalAPI
package import Storage

/// The rights that a list of security decisions removes from a restored database, the identities that users were given since, and
/// what users asked for last about the deletion of their accounts.
package struct DecisionSummary: Sendable, Equatable {
    /// An identity that a user lost.
    package struct Identity: Sendable, Hashable {
        package let user: UserID
        package let kind: String
        /// Unix time in seconds since which the user had it, which distinguishes it from a later identity of the kind.
        package let since: Int64
    }

    /// A user who was merged into another.
    package struct Merge: Sendable, Equatable {
        package let user, into: UserID
    }

    package private(set) var deactivated: Set<UserID> = []
    package private(set) var lostRoles: [UserID: Set<String>] = [:]
    package private(set) var changedPasswords: Set<UserID> = []
    /// The second factors that users lost, as `SecondFactorLoss` names them.
    package private(set) var lostSecondFactors: [UserID: Set<String>] = [:]
    package private(set) var lostIdentities: Set<Identity> = []
    /// The users who lost passkeys, by the passkeys' ids.
    package private(set) var lostPasskeys: [[UInt8]: UserID] = [:]
    /// Identities that users were given and still have, each with its sealed value.
    package private(set) var addedIdentities: [Identity: String] = [:]
    /// The users who were merged into others, in the order of the list.
    package private(set) var merges: [Merge] = []
    /// The accounts that are under review, each with the Unix time in seconds since which changes are.
    package private(set) var reviews: [UserID: Int64] = [:]
    package private(set) var endedInvitations: Set<UserID> = []
    /// The clients that were revoked or lost a credential, as `APIClient.decisionSubject`.
    package private(set) var revokedClients: Set<UserID> = []
    /// The last schedule of each account's deletion; a value of `nil` if it was withdrawn.
    package private(set) var deletions: [UserID: ScheduledDeletion?] = [:]

    package init() {}

    /// Sums up the decisions of a list, in their order.
    package init(_ decisions: [OrderedDecision]) throws(StorageError) {
        for decision in decisions {
            guard let kind = SecurityDecision.Kind(rawValue: decision.kind), let id = UserID(bytes: decision.subject)
            else { throw StorageError(.corrupt, "a security decision of the restore does not decode") }
            add(kind, about: id, detail: decision.detail)
        }
    }

    /// Adds the next decision of a list. A later decision of the list may cancel an earlier one.
    package mutating func add(_ kind: SecurityDecision.Kind, about id: UserID, detail: String?) {
        switch kind {
        case .deactivated: deactivated.insert(id)
        case .reactivated: deactivated.remove(id)
        case .roleLost: if let role = detail { lostRoles[id, default: []].insert(role) }
        case .roleGiven: if let role = detail { lostRoles[id]?.remove(role) }
        case .passwordChanged: changedPasswords.insert(id)
        case .secondFactorLost: if let detail { lostSecondFactors[id, default: []].insert(detail) }
        case .identityLost:
            guard let (identity, _) = Self.identity(of: id, detail) else { return }
            lostIdentities.insert(identity)
            addedIdentities[identity] = nil
        case .passkeyLost:
            // The kind of a restore key follows the id.
            let passkey = detail?.split(separator: "/").first.flatMap { Hex.decode(String($0)) }
            if let passkey { lostPasskeys[passkey] = id }
        case .identityAdded:
            if let (identity, sealed) = Self.identity(of: id, detail) { addedIdentities[identity] = sealed }
        case .merged:
            if let into = detail.flatMap({ UserID(text: $0, prefix: "") }) {
                merges.append(Merge(user: id, into: into))
            }
        case .reviewOpened:
            if let since = detail.flatMap({ Int64($0) }) { reviews[id] = min(since, reviews[id] ?? since) }
        case .reviewCleared: reviews[id] = nil
        case .invitationEnded: endedInvitations.insert(id)
        case .deletionRequested: if let deletion = Self.deletion(detail) { deletions.updateValue(deletion, forKey: id) }
        case .deletionWithdrawn: deletions.updateValue(nil, forKey: id)
        case .clientRevoked: revokedClients.insert(id)
        }
    }

    private static func deletion(_ detail: String?) -> ScheduledDeletion? {
        let times = detail?.split(separator: "/").compactMap { Int64($0) } ?? []
        return times.count == 2 ? ScheduledDeletion(requestedAt: times[0], dueAt: times[1]) : nil
    }

    private static func identity(of user: UserID, _ detail: String?) -> (Identity, sealed: String?)? {
        guard let parts = detail?.split(separator: "/"), 2...3 ~= parts.count, let since = Int64(parts[1]) else {
            return nil
        }
        return (
            Identity(user: user, kind: String(parts[0]), since: since),
            sealed: parts.count == 3 ? String(parts[2]) : nil
        )
    }
}

/// The names of second factors in security decisions; a single recovery code is named by its tag in hexadecimal.
package enum SecondFactorLoss {
    /// TOTP with `required`.
    package static let all = "totp"
    package static let codes = "codes"
}
