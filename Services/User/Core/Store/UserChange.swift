package import InternalAPI

/// One change that an operation has decided on. An operation's changes are written in their order, all or none.
package enum UserChange: Sendable, Equatable {
    /// A user begins; `assignIdentity` gives them what they have verified.
    case create(User)
    /// Everything of a user that can change but their identities.
    case update(User)

    /// Gives a user an identity, and takes it from any other. `isUsed`: whether they have signed in with it.
    case assignIdentity(ProvedIdentity, to: UserID, isUsed: Bool = true)
    /// Gives an identity another value, which no identity has.
    case renameIdentity(ProvedIdentity, to: ProvedIdentity)
    /// The identity was used at this Unix time in seconds, unless a later use is known.
    case noteUse(ProvedIdentity, at: Int64)
    /// What the proof leads to from now on.
    case resolve(SignInProof, Resolution)

    /// A user has an address without having verified it.
    case claim(ProvedIdentity, by: UserID)
    case endClaim(ProvedIdentity)

    case setPassword(StoredPassword, of: UserID)
    case removePassword(of: UserID)

    case addRegistration(Registration)
    case endRegistration(UserID)
    /// Ends all registrations of an address, with their links.
    case endRegistrations(address: String)

    case addLink(AccountLink)
    /// Ends all links of a user, a registration or an invitation.
    case endLinks(of: UserID)

    /// Replaces an earlier invitation of the identity.
    case addInvitation(Invitation)
    /// Moves an invitation to an identity that has no open one; it expires as before.
    case renameInvitation(Invitation, to: ProvedIdentity)
    /// Ends an invitation with its links.
    case endInvitation(Invitation)

    case audit(AuditEntry)
    /// Queues a message for another service; from `dueAt` (Unix seconds) on the outbox delivers it.
    case tell(OutboxMessage, about: UserID, dueAt: Int64)
    /// Keeps what a call is answered.
    case answer(FirstAnswer)
}
