package import InternalAPI

/// An account with everything that is stored about it once, except for secrets. It is read for the copy of the user's data.
package struct StoredAccount: Sendable {
    package let user: User
    package let identities: [ExportedIdentity]
    package let passkeys: [StoredPasskey]
    package let unverifiedEmails: [ExportedAddress]
    package let hasPassword: Bool
    /// Unix time in seconds of the reset or change that set the password; `nil` if neither set it.
    package let passwordChangedAt: Int64?
    package let appleTokens: [ExportedAppleToken]
    package let pendingChanges: [PendingChange]
    /// The open review; `nil` if there is none.
    package let review: AccountReview?
    /// The accounts that were merged into this one, in the order of their ids.
    package let merged: [MergedUser]
    package let links: [ExportedLink]
    package let hasTOTP: Bool
    package let recoveryCodesLeft: Int64

    package init(
        user: User, identities: [ExportedIdentity], passkeys: [StoredPasskey], unverifiedEmails: [ExportedAddress],
        hasPassword: Bool,
        passwordChangedAt: Int64?, appleTokens: [ExportedAppleToken], pendingChanges: [PendingChange],
        review: AccountReview?, merged: [MergedUser], links: [ExportedLink],
        hasTOTP: Bool = false, recoveryCodesLeft: Int64 = 0
    ) {
        (self.hasTOTP, self.recoveryCodesLeft) = (hasTOTP, recoveryCodesLeft)
        (self.user, self.identities, self.unverifiedEmails) = (user, identities, unverifiedEmails)
        self.passkeys = passkeys
        (self.hasPassword, self.passwordChangedAt, self.appleTokens) = (hasPassword, passwordChangedAt, appleTokens)
        (self.pendingChanges, self.review, self.merged, self.links) = (pendingChanges, review, merged, links)
    }

    /// The ids under which the user's data are stored: the user's own, then those of the merged accounts.
    var ids: [UserID] { [user.id] + merged.map(\.id) }

    /// The names under which the audit knows the accounts of `ids`.
    func pseudonym(of id: UserID) -> Pseudonym? {
        id == user.id ? user.pseudonym : merged.first { $0.id == id }?.pseudonym
    }
}

extension ExportedAccount {
    init(_ stored: StoredAccount, idPrefix: String) {
        let user = stored.user
        self.init(
            id: user.id.text(prefix: idPrefix), name: user.name, attributes: user.attributes, role: user.role,
            active: user.isActive, createdAt: user.createdAt, updatedAt: user.updatedAt, forReview: user.isForReview,
            hasPassword: stored.hasPassword)
        metadata = user.metadata.orNil
        (deletionRequestedAt, deletionDueAt) = (user.deletion?.requestedAt, user.deletion?.dueAt)
        (legacyID, passwordChangedAt) = (user.legacyID, stored.passwordChangedAt)
        hasTOTP = stored.hasTOTP ? true : nil
        recoveryCodesLeft = stored.recoveryCodesLeft == 0 ? nil : stored.recoveryCodesLeft
        (identities, unverifiedEmails) = (stored.identities, stored.unverifiedEmails)
        (appleTokens, links) = (stored.appleTokens, stored.links)
        // Also a time in the past is stated.
        passkeys = stored.passkeys.isEmpty ? nil : stored.passkeys.map { ExportedPasskey($0.details(.min)) }
        pendingChanges = stored.pendingChanges.map {
            ExportedChange(
                kind: $0.kind.rawValue, phoneNumber: $0.number, createdAt: $0.createdAt, movesAt: $0.movesAt)
        }
        (reviewedSince, reviewOpenedAt) = (stored.review?.since, stored.review?.openedAt)
        mergedAccounts = stored.merged.map {
            ExportedMerge(id: $0.id.text(prefix: idPrefix), createdAt: $0.createdAt)
        }
    }
}
