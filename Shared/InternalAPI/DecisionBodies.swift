import FoundationEssentials

/// A security decision about a user or an invitation, which a restore of an older backup must not undo. It contains ids,
/// and identities only under a key of user-service.
package struct SecurityDecision: Codable, Sendable, Equatable {
    package enum Kind: String, Codable, Sendable, CaseIterable {
        case deactivated
        /// Cancels an earlier deactivation of a list.
        case reactivated
        /// The user lost the role in `detail`.
        case roleLost = "role_lost"
        /// The user was given the role in `detail`, which cancels its loss earlier in a list.
        case roleGiven = "role_given"
        case passwordChanged = "password_changed"
        /// TOTP was removed, recovery codes were replaced, or one was used; `detail` says which, a code by its keyed hash.
        case secondFactorLost = "second_factor_lost"
        /// An identity was replaced, removed or taken over; `detail` is its kind and the Unix time since which the user had it.
        case identityLost = "identity_lost"
        /// A passkey was removed; `detail` is its id.
        case passkeyLost = "passkey_lost"
        /// The user was given an identity; `detail` is its kind, the Unix time since which the user has it, and the identity sealed
        /// under `user_storage_key`.
        case identityAdded = "identity_added"
        /// The account was merged into the one whose id, without a prefix, is `detail`. What moved is in `identity_added`.
        case merged
        /// The account is under review; `detail` is the Unix time since which changes are.
        case reviewOpened = "review_opened"
        /// The operator has cleared the review.
        case reviewCleared = "review_cleared"
        /// An invitation was used, replaced or withdrawn, or has expired.
        case invitationEnded = "invitation_ended"
        /// The account was scheduled for deletion; `detail` is the Unix times of the request and of the removal.
        case deletionRequested = "deletion_requested"
        /// The account is no longer scheduled for deletion.
        case deletionWithdrawn = "deletion_withdrawn"
        /// A client was revoked, or lost a secret or a key.
        case clientRevoked = "client_revoked"
    }

    /// How many seconds a decision stays in the database; a backup must not be restored later than that after it was taken.
    package static let keptSeconds: Int64 = 400 * 86_400

    /// The position of the decision in the order of all decisions of the deployment; starts at 1.
    package var sequence: Int64
    /// Unix time in seconds.
    package var at: Int64
    package var kind: Kind
    /// The id of a user, or of an invitation; of a client its `sid` and zeros.
    package var id: String
    package var detail: String?

    package init(sequence: Int64, at: Int64, kind: Kind, id: String, detail: String? = nil) {
        self.sequence = sequence
        self.at = at
        self.kind = kind
        self.id = id
        self.detail = detail
    }
}

extension SecurityDecision {
    private static let fieldCounts = 4...5

    /// The decision as a line of a list: sequence, time, kind, id, and the detail if there is one.
    package var line: String {
        let time = Date(timeIntervalSince1970: Double(at)).formatted(.iso8601)
        return "\(sequence) \(time) \(kind.rawValue) \(id)" + (detail.map { " " + $0 } ?? "")
    }

    /// Reads a line of a list, or returns `nil` if it is invalid.
    package init?(line: String) {
        let fields = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        guard Self.fieldCounts.contains(fields.count), let sequence = Int64(fields[0]), sequence > 0,
            let kind = Kind(rawValue: fields[2]), fields.allSatisfy({ !$0.isEmpty })
        else { return nil }
        let time: Date
        do { time = try Date(fields[1], strategy: .iso8601) } catch { return nil }
        self.init(
            sequence: sequence, at: Int64(time.timeIntervalSince1970), kind: kind, id: fields[3],
            detail: fields.count == 5 ? fields[4] : nil)
    }
}

/// Requests a page of security decisions.
package struct DecisionsRequest: Codable, Sendable, Equatable {
    /// The last sequence of the page before; 0 for the first page.
    package var after: Int64

    package init(after: Int64) { self.after = after }
}

/// A page of security decisions, in their order.
package struct DecisionPage: Codable, Sendable, Equatable {
    package static let decisionsMax = 500

    package var decisions: [SecurityDecision]

    package init(decisions: [SecurityDecision]) { self.decisions = decisions }
}
