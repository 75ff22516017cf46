/// A right that a restored database takes from a user again, an invitation that it ends again, or what a user asked for last about
/// the account's deletion.
package enum LostRight: Sendable, Equatable {
    case activity(UserID)
    /// The user gets the default role instead.
    case role(String, UserID)
    case password(UserID)
    /// A second factor, as `SecondFactorLoss` names it.
    case secondFactor(String, UserID)
    case identity(DecisionSummary.Identity)
    /// The user loses a passkey, by its id.
    case passkey([UInt8], UserID)
    /// The user gets an identity again, which is sealed.
    case addedIdentity(DecisionSummary.Identity, sealed: String)
    /// The account is under review again, for changes since a Unix time in seconds.
    case review(UserID, since: Int64)
    case invitation(UserID)
    /// The account is scheduled for deletion again.
    case account(UserID, ScheduledDeletion)
    /// The account stays: the user has withdrawn its deletion.
    case withdrawal(UserID)
    /// The client with this `APIClient.decisionSubject` gets no token.
    case client(UserID)

    /// The user and the detail of the audit record; `nil` for an invitation and a client, which leave none.
    package var audited: (user: UserID, detail: String)? {
        switch self {
        case .activity(let user): (user, "deactivated")
        case .role(_, let user): (user, "role")
        case .password(let user): (user, "password")
        case .secondFactor(_, let user): (user, "second factor")
        case .identity(let identity): (identity.user, "identity \(identity.kind)")
        case .passkey(_, let user): (user, "passkey")
        case .addedIdentity(let identity, _): (identity.user, "identity added \(identity.kind)")
        case .review(let user, _): (user, "review")
        case .account(let user, _): (user, "deletion")
        case .withdrawal(let user): (user, "deletion withdrawn")
        case .invitation, .client: nil
        }
    }
}

extension DecisionSummary {
    /// An epoch raises the numbers of decisions to its Unix time times this, so that no number is used before and after it.
    private static let sequencesPerSecond: Int64 = 1_000_000

    /// Returns a number below those of all decisions in an epoch, and above those before it.
    ///
    /// - Parameter floor: The epoch, a Unix time in seconds.
    package static func sequence(beforeEpoch floor: Int64) -> Int64 {
        floor.multipliedReportingOverflow(by: sequencesPerSecond).partialValue
    }

    /// The lost rights, in an order that is the same for the same list.
    package var lostRights: [LostRight] {
        var rights = Self.inOrder(deactivated).map { LostRight.activity($0) }
        for user in Self.inOrder(lostRoles.keys) {
            let roles = lostRoles[user, default: []].sorted().filter { $0 != User.defaultRole }
            rights += roles.map { .role($0, user) }
        }
        rights += Self.inOrder(changedPasswords).map { .password($0) }
        for user in Self.inOrder(lostSecondFactors.keys) {
            rights += lostSecondFactors[user, default: []].sorted().map { .secondFactor($0, user) }
        }
        rights += lostIdentities.sorted { $0.since < $1.since }.map { .identity($0) }
        rights += lostPasskeys.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { .passkey($0.key, $0.value) }
        rights += addedIdentities.sorted { ($0.key.since, $0.value) < ($1.key.since, $1.value) }
            .map { .addedIdentity($0.key, sealed: $0.value) }
        rights += Self.inOrder(reviews.keys).compactMap { user in reviews[user].map { .review(user, since: $0) } }
        for user in Self.inOrder(deletions.keys) {
            if let last = deletions[user] { rights.append(last.map { .account(user, $0) } ?? .withdrawal(user)) }
        }
        rights += Self.inOrder(endedInvitations).map { .invitation($0) }
        return rights + Self.inOrder(revokedClients).map { .client($0) }
    }

    private static func inOrder(_ ids: some Collection<UserID>) -> [UserID] {
        ids.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    }
}
