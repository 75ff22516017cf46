/// A change of a user's identities, or the removal of their account, that happens after a delay, in which the user may prevent it.
package struct PendingChange: Sendable, Equatable {
    package enum Kind: String, Sendable, CaseIterable {
        /// The operator replaces the phone number of a user who has lost it (`PhoneReplacement`).
        case phone
        /// A user merges another account without a proof of all that it has (`WaitingMerge`).
        case merge
        /// The operator removes the second factors of a user who has lost them (`SecondFactorReset`).
        case secondFactor = "second_factor"
        /// The account is removed because its user was away for long (`InactivityRemoval`).
        case inactivity
    }

    package let id: String
    package let kind: Kind
    /// The user who has the identities afterwards.
    package let user: UserID
    /// Another user of the change, who may object to it too: the one who is merged; `nil` if there is none.
    package let other: UserID?
    /// The phone number whose owner verifies the change by a sign-in, in E.164; `nil` if the change needs no such proof.
    package let number: String?
    /// The content, as `PendingSeal` sealed it; of a removal after inactivity, `told` or empty.
    package let sealed: String
    /// Unix time in seconds.
    package let createdAt: Int64
    /// Unix time in seconds at which the change happens; `nil` until it is verified.
    package var movesAt: Int64?

    package init(
        id: String, kind: Kind, user: UserID, other: UserID? = nil, number: String? = nil, sealed: String,
        createdAt: Int64, movesAt: Int64? = nil
    ) {
        (self.id, self.kind, self.user, self.other, self.number) = (id, kind, user, other, number)
        (self.sealed, self.createdAt, self.movesAt) = (sealed, createdAt, movesAt)
    }

    /// The content of a removal after inactivity once a provider has accepted its notice.
    package static let told = "told"

    /// How many seconds a change waits to be verified. It is removed then.
    package static let unverifiedSeconds: Int64 = 7 * 86_400
}
