package import InternalAPI

/// What an operation has to know of a person before it decides.
package struct UserQuestion: Sendable, Equatable {
    package enum Subject: Sendable, Hashable {
        /// An identity of any kind, and the user who holds it.
        case identity(ProvedIdentity)
        /// A mailed link, by the SHA-256 of its token, and all that is known of its address.
        case link(hash: [UInt8])
        /// A user with their password.
        case account(UserID)
        /// A user alone; whether they were removed, if there is none.
        case user(UserID)
        /// The user who had this id in another system.
        case legacyID(String)

        /// - Parameter text: an email address in its one spelling.
        package static func address(_ text: String) -> Self { .identity(.email(text)) }
    }

    package let subject: Subject
    /// The id of the proof that was presented, or `nil` if there is none.
    package let proofID: String?
    /// Names the call; `nil` if its response is not kept.
    package let call: CallTag?
    /// Unix time in seconds at which links, registrations and invitations must be open.
    package let askedAt: Int64

    package init(_ subject: Subject, proofID: String? = nil, call: CallTag? = nil, askedAt: Int64) {
        (self.subject, self.proofID, self.call, self.askedAt) = (subject, proofID, call, askedAt)
    }
}

/// What an operation is decided on. A question loads only what it needs; the rest is `nil` or empty.
package struct UserFacts: Sendable, Equatable {
    package let question: UserQuestion
    /// The identity in question: the one that was asked for, the link's address, or the account's own address.
    package var identity: ProvedIdentity?
    /// The user who holds the identity, or who was asked for.
    package var holder: User?
    /// Whether a user with the id was removed.
    package var isRemoved = false
    /// The holder's password.
    package var password: StoredPassword?
    /// The storage's epoch, with which new users begin: tokens and grants from before a restore are below it. 0 if the identity
    /// has a holder who stays, so that nobody begins.
    package var epoch: Int64 = 0
    /// The link that was asked for, while it opens.
    package var link: AccountLink?
    /// What the proof led to before.
    package var earlier: EarlierSignIn?
    /// What this call was answered before.
    package var firstAnswer: FirstAnswer?

    // While nobody holds the identity:

    /// The user who has the address without having verified it.
    package var claimant: Claimant?
    package var invitation: Invitation?
    /// Open registrations with the address, oldest first.
    package var registrations: [Registration] = []

    package init(_ question: UserQuestion) { self.question = question }
}

extension UserFacts {
    /// The address in question; `nil` for any other identity, an unknown link, or a user without an address.
    package var address: String? { identity.flatMap { $0.kind == .email ? $0.value : nil } }

    /// The user who may set a password by a link to the address: its holder, or an account that has nothing but the address.
    var passwordSetter: User? { holder ?? claimant.flatMap { $0.isAlone ? $0.user : nil } }

    /// Whether the address brings nothing else with it, neither a role nor an existing account, so that a registration may be
    /// confirmed without its password.
    var isAddressEmpty: Bool { claimant == nil && invitation == nil }

    /// Whether a code is from before a reset or a change of the holder's password; of the same second too, since nothing tells
    /// which was first.
    func outdates(codeOf challengedAt: Int64?) -> Bool {
        guard let challengedAt, let changedAt = password?.changedAt else { return false }
        return challengedAt <= changedAt
    }
}

extension ProvedIdentity {
    /// - Parameter address: in its one spelling.
    package static func email(_ address: String) -> Self { Self(kind: .email, value: address) }
}
