package import InternalAPI

/// A query for the facts about a person that an operation decides on.
package struct UserQuestion: Sendable, Equatable {
    /// The subject of the query.
    package enum Subject: Sendable, Hashable {
        /// An identity of any kind, and the user who holds it.
        case identity(VerifiedIdentity)
        /// An identity at a provider and the user who holds it, with the identity's last use.
        case atProvider(VerifiedIdentity)
        /// A passkey by its key (`StoredPasskey`), and its user with their password.
        case passkey([UInt8])
        /// A mailed link, by the SHA-256 of its token, and everything about its email address, or about its user if it has none.
        case link(hash: [UInt8])
        /// A user with their password.
        case account(UserID)
        /// A user with their password and all their identities and passkeys.
        case identities(UserID)
        /// Only a user, or whether they were removed or merged into another.
        case user(UserID)
        /// The user who had this id in another system.
        case legacyID(String)
        /// The active administrators who are not scheduled for deletion.
        case administrators
        /// The client with an id.
        case client(String)

        /// - Parameter text: an email address in its canonical form.
        package static func address(_ text: String) -> Self { .identity(.email(text)) }
    }

    package let subject: Subject
    /// The id of the presented proof, or `nil` if there is none.
    package let proofID: String?
    /// Identifies the call, or `nil` if its response is not stored.
    package let call: CallTag?
    /// Unix time in seconds at which links, registrations and invitations must be open.
    package let askedAt: Int64
    /// Whether the holder's known devices and networks are loaded. Only for `identity`, `passkey` and `account`.
    package let readsOrigins: Bool
    /// Whether the holder's second factor is loaded. Only for `identity`, without recovery codes, and `account`;
    /// `identities` always has it.
    package let readsSecondFactor: Bool

    package init(
        _ subject: Subject, proofID: String? = nil, call: CallTag? = nil, askedAt: Int64, readsOrigins: Bool = false,
        readsSecondFactor: Bool = false
    ) {
        self.readsSecondFactor = readsSecondFactor
        (self.subject, self.proofID, self.call, self.askedAt) = (subject, proofID, call, askedAt)
        self.readsOrigins = readsOrigins
    }
}

/// The facts that an operation is decided on. A query loads only the facts that it needs; the others are `nil` or empty.
package struct UserFacts: Sendable, Equatable {
    package let question: UserQuestion
    /// The identity in question: the queried one, the link's email address, or the account's own one.
    package var identity: VerifiedIdentity?
    /// The user who holds the identity, or who was queried.
    package var holder: User?
    /// Two of the active administrators, or all if there are fewer. Only for `administrators`.
    package var administrators: [UserID] = []
    /// The client. Only for `client`.
    package var client: APIClient?
    /// Whether a user with the id was removed, or merged into another.
    package var isRemoved = false
    /// Unix time in seconds before which the provider's tokens for the identity are refused; `nil` if there is none.
    package var tokensFrom: Int64?
    /// Unix time in seconds of the last sign-in with the identity; 0 if there was none. Only for `atProvider`.
    package var usedAt: Int64 = 0
    /// Whether the holder has another identity. Only for `atProvider`.
    package var hasOtherIdentity = false
    /// All identities of the queried user, oldest first. Only for `identities`.
    package var identities: [HeldIdentity] = []
    /// All passkeys of the queried user, oldest first. Only for `identities`.
    package var passkeys: [StoredPasskey] = []
    /// Unix time in seconds at which the queried user last lost a passkey that was no restore key; `nil` if no decision is left of it. Only
    /// for `identities`.
    package var passkeyLostAt: Int64?
    /// The queried passkey.
    package var passkey: StoredPasskey?
    /// The pending changes that concern the queried user, oldest first; or the one that the owner of the queried phone number, which
    /// has no holder, verifies by a sign-in. Only for `identities` and `identity`. An objection to the latter may come at the same time.
    package var pending: [PendingChange] = []
    /// The holder's password.
    package var password: StoredPassword?
    /// Unix time in seconds since which changes of the holder's identities and password are under review; `nil` without a review.
    package var reviewedSince: Int64?
    /// Unix time in seconds at which the review ends by itself; `nil` if only the operator ends it.
    package var reviewEndsAt: Int64?
    /// Unix time in seconds since which the holder has the identity in question. Only for `identity` and `link`.
    package var heldSince: Int64?
    /// The devices and networks from which the holder has signed in, also expired ones. Only if the query reads them.
    package var knownOrigins: [KnownOrigin] = []
    /// The holder's second factor, also if there is none. Only if the query reads it.
    package var secondFactor: SecondFactor?
    /// The storage's epoch, with which new users begin. Tokens and grants from before a restore have a lower one. 0 if the
    /// identity has an owner who keeps it, so that no new user is added, except for `identities`.
    package var epoch: Int64 = 0
    /// The queried link, while it is valid.
    package var link: AccountLink?
    /// The result of an earlier sign-in with the proof.
    package var earlier: EarlierSignIn?
    /// The first response to this call.
    package var firstAnswer: FirstAnswer?

    // While the identity has no holder, or only reviewers of an app store (`isOwned`):

    /// The user who has the email address without having verified it.
    package var claimant: Claimant?
    package var invitation: Invitation?
    /// Open registrations with the email address, oldest first.
    package var registrations: [Registration] = []

    package init(_ question: UserQuestion) { self.question = question }
}

extension UserFacts {
    /// Whether the identity has a holder who verified it. An app store's reviewers did not.
    package var isOwned: Bool { holder.map { !$0.isForReview } ?? false }

    /// The email address in question; `nil` for any other identity, an unknown link, or a user without an email address.
    package var address: String? { identity.flatMap { $0.kind == .email ? $0.value : nil } }

    /// The user who may set a password by a link to the email address: its holder, or an account without any other identity.
    var passwordSetter: User? { holder ?? claimant.flatMap { $0.isAlone ? $0.user : nil } }

    /// Whether the email address leads neither to an invitation's role nor to an existing account, so that a registration may be
    /// confirmed without its password.
    var isAddressEmpty: Bool { claimant == nil && invitation == nil }

    /// Whether the holder got the identity in question after the event for which the account is under review.
    var isIdentityUnderReview: Bool { isUnderReview(heldSince) }

    /// Whether the holder's password was set after that event.
    var isPasswordUnderReview: Bool { isUnderReview(password?.changedAt) }

    /// Whether the queried passkey was added after that event.
    var isPasskeyUnderReview: Bool { isUnderReview(passkey?.createdAt) }

    /// The begin of a review that only the operator ends.
    var lastingReviewSince: Int64? { reviewEndsAt == nil ? reviewedSince : nil }

    private func isUnderReview(_ changedAt: Int64?) -> Bool {
        guard let reviewedSince, let changedAt else { return false }
        return changedAt >= reviewedSince
    }

    /// Whether a code was requested before a reset or a change of the holder's password, or in the same second, when the order
    /// is unknown.
    func outdates(codeOf challengedAt: Int64?) -> Bool {
        guard let challengedAt, let changedAt = password?.changedAt else { return false }
        return challengedAt <= changedAt
    }
}

/// An identity of a user; times are Unix seconds.
package struct HeldIdentity: Sendable, Equatable {
    package let identity: VerifiedIdentity
    /// The time since which the user has it.
    package let since: Int64
    /// The last sign-in; 0 if there was none.
    package let usedAt: Int64

    package init(identity: VerifiedIdentity, since: Int64, usedAt: Int64 = 0) {
        (self.identity, self.since, self.usedAt) = (identity, since, usedAt)
    }
}

extension VerifiedIdentity {
    /// - Parameter address: an email address in its canonical form.
    package static func email(_ address: String) -> Self { Self(kind: .email, value: address) }
}
