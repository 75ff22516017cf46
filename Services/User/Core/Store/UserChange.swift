package import InternalAPI

/// One change that an operation has decided on. An operation's changes are written in their order, all or none.
package enum UserChange: Sendable, Equatable {
    /// Adds a user; `assignIdentity` adds the identity that they have verified.
    case create(User)
    /// Writes everything of a user that can change, except their identities.
    case update(User)

    /// Removes a user who is merged into another. The other user gets the claims and, if they have none, the legacy id; identities
    /// are given to them separately. The id remains, and leads to the other user.
    case merge(User, into: UserID)

    /// Gives a user an identity, which any other user loses. `isUsed`: whether they have signed in with it.
    case assignIdentity(VerifiedIdentity, to: UserID, isUsed: Bool = true)
    /// Notes in the list of security decisions that a user has just been given an identity.
    case noteAdded(VerifiedIdentity, sealed: String, to: UserID)
    /// Gives a user an identity again that a restore took back, which no other user has.
    case restoreIdentity(VerifiedIdentity, since: Int64, to: UserID)
    /// Removes an identity from those that a restore left to be given again.
    case endRestored(UserID, sealed: String)
    /// Gives an identity another value, which no identity has yet.
    case renameIdentity(VerifiedIdentity, to: VerifiedIdentity)
    /// Records the Unix time in seconds at which the identity was used, unless a later use is recorded.
    case noteUse(VerifiedIdentity, at: Int64)
    /// Removes an identity from its holder.
    case endIdentity(VerifiedIdentity)
    /// Refuses tokens that the identity's provider issued before a Unix time in seconds.
    case refuseTokens(of: VerifiedIdentity, before: Int64)
    /// Removes the stored tokens of an Apple identity without revoking them at Apple.
    case forgetAppleTokens(of: UserID, subject: String)
    /// Removes the stored tokens of an Apple identity and has them revoked at Apple.
    case revokeAppleTokens(of: UserID, subject: String)
    /// Stores the result of resolving a proof.
    case resolve(SignInProof, Resolution)

    /// Gives a user an email address that they have not verified.
    case claim(VerifiedIdentity, by: UserID)
    case endClaim(VerifiedIdentity)
    /// Removes all email addresses that a user has not verified.
    case endClaims(of: UserID)

    /// Adds a passkey whose key no other has.
    case addPasskey(StoredPasskey)
    case renamePasskey(StoredPasskey)
    /// Writes the counter, which never falls, the backup flags and the last use.
    case notePasskeyUse(StoredPasskey)
    case endPasskey(StoredPasskey)
    /// Removes the passkeys of a user that cannot be used yet.
    case endWaitingPasskeys(of: UserID)

    case setPassword(StoredPassword, of: UserID)
    case removePassword(of: UserID)

    case setSecondFactor(SecondFactor, of: UserID)
    /// Replaces the user's recovery codes by those with these tags.
    case setRecoveryCodes([[UInt8]], of: UserID)
    case useRecoveryCode([UInt8], of: UserID)
    /// Removes TOTP and the recovery codes of a user, or only if TOTP was turned on at a Unix time in seconds or later.
    case endSecondFactor(of: UserID, since: Int64? = nil)

    case addRegistration(Registration)
    case endRegistration(UserID)
    /// Removes all registrations of an email address, with their links.
    case endRegistrations(address: String)

    case addLink(AccountLink)
    /// Removes all links of a user, a registration or an invitation, except those by which the user reports changes.
    case endLinks(of: UserID)
    /// Removes the links by which a user reports changes that were made at a Unix time in seconds or later.
    case endNotMeLinks(of: UserID, since: Int64)

    /// Opens the review of a user's account for the changes since a Unix time in seconds. An open review that goes further back stays.
    /// It ends by itself at `until`, a Unix time in seconds, unless another one is opened without.
    case openReview(of: UserID, since: Int64, until: Int64? = nil)
    case closeReview(of: UserID)

    /// Adds devices and networks from which a user has signed in, or updates the time at which they were seen.
    case noteOrigins([KnownOrigin], of: UserID)
    case forgetOrigins([KnownOrigin], of: UserID)
    /// Removes the devices and networks that appeared with an event which the user reports as not theirs, at a Unix time in seconds, or
    /// in the days before it.
    case forgetReportedOrigins(of: UserID, since: Int64)

    /// Replaces an earlier invitation of the identity.
    case addInvitation(Invitation)
    /// Moves an invitation to an identity that has no open one; it expires as before.
    case renameInvitation(Invitation, to: VerifiedIdentity)
    /// Removes an invitation with its links.
    case endInvitation(Invitation)

    /// Adds a change that happens later.
    case addPending(PendingChange)
    /// Sets the time at which a pending change happens, in Unix seconds, unless it has one or was ended.
    case startPending(PendingChange, movesAt: Int64)
    /// Gives a pending change another phone number, which no other has.
    case renamePending(PendingChange, to: VerifiedIdentity)
    /// Ends this pending change alone.
    case endPendingChange(PendingChange)
    /// Ends the pending changes that concern a user, of one kind or of all (`nil`).
    case endPending(of: UserID, PendingChange.Kind? = nil)

    /// Adds a client, or writes everything of it that can change.
    case storeClient(APIClient)
    case removeClient(String)

    case audit(AuditEntry)
    /// Queues a message for another service. The outbox delivers it from `dueAt` (Unix seconds) on.
    case tell(OutboxMessage, about: UserID, dueAt: Int64)
    /// Stores the response to a call.
    case answer(FirstAnswer)
    /// Notes that the account of an identity was given up (`GivenUpIdentities`).
    case noteGivenUp(FirstAnswer)
}
