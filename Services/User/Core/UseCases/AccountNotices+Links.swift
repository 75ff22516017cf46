import CryptoPrimitives
import InternalAPI

extension AccountNotices {
    /// Creates a mail to the owner of an email address, or a text message to a phone number.
    ///
    /// - Parameters:
    ///   - user: the account, or the one that the link creates.
    ///   - time: the time in the mail; Unix time in seconds, as `now`.
    ///   - asker: the client that requested the mail, which determines the mail's place in the outbox.
    ///   - deletionAt: the time at which the account is removed, if it is scheduled for deletion.
    func change(
        _ kind: MailNotice.Kind, to address: String, about user: UserID, at time: Int64, token: String? = nil,
        locales: [String] = [], deletionAt: Int64? = nil, for asker: OutboxPlace.Asker, _ now: Int64
    ) throws -> UserChange {
        let notice = MailNotice(
            id: UUIDText.random(), to: address, kind: kind, at: time, token: token,
            locales: locales.isEmpty ? nil : locales, deletionAt: deletionAt)
        let place = OutboxPlace(kind, for: asker)
        return .tell(try seal.message(.notice, encoding: notice, about: user, place: place), about: user, dueAt: now)
    }

    /// Creates the notice of a change of a user's identities or password, with the link by which the user reports it as not theirs: a
    /// mail, or a text message to a user without an email address.
    ///
    /// - Parameters:
    ///   - user: the user before the change: a thief may have added the address or the number of after.
    ///   - other: the user that the link is about, if it is another one.
    ///   - time: the time in the mail, in Unix seconds; `nil` for now.
    func ofChange(
        _ kind: MailNotice.Kind, to user: User, about other: User? = nil, at time: Int64? = nil, _ now: Int64
    ) throws -> [UserChange] {
        guard let recipient = recipients(of: user).first else { return [] }
        return try reportable(kind, to: recipient.value, about: other ?? user, at: time ?? now, now)
    }

    /// Creates the notices of a merge that waits, over everything by which the user is reached: a thief may have one of them.
    ///
    /// - Parameter time: the time of the merge, in Unix seconds.
    func ofMerge(to user: User, at time: Int64, _ now: Int64) throws -> [UserChange] {
        try recipients(of: user).flatMap { try reportable(.merge, to: $0.value, about: user, at: time, now) }
    }

    /// Creates the notices of a passkey that can be used from a Unix time in seconds on, over everything by which the user is reached.
    func ofWaitingPasskey(to user: User, from time: Int64, _ now: Int64) throws -> [UserChange] {
        try recipients(of: user).flatMap { try reportable(.passkeyWaits, to: $0.value, about: user, at: time, now) }
    }

    /// Creates the notices that an account will be removed because its user was away for long.
    func ofInactivity(
        to recipients: [VerifiedIdentity], _ user: UserID, removedAt time: Int64, _ now: Int64
    ) throws -> [UserChange] {
        try recipients.map { try change(.inactivity, to: $0.value, about: user, at: time, for: .trusted, now) }
    }

    /// Everything by which notices reach a user, the best first.
    func recipients(of user: User) -> [VerifiedIdentity] {
        [
            sendsMail ? user.email.map { .email($0) } : nil, sendsTexts ? user.phone.map { .phone($0) } : nil,
        ].compactMap { $0 }
    }

    func reportable(
        _ kind: MailNotice.Kind, to recipient: String, about user: User, at time: Int64, _ now: Int64
    ) throws -> [UserChange] {
        let (secret, purpose) = (LinkSecret.random(suffices: false), AccountLink.Purpose.notMe)
        let link = AccountLink(
            hash: secret.hash, purpose: purpose, subject: user.id, address: "", createdAt: now,
            expiresAt: now + purpose.lifetimeSeconds + purpose.waitSeconds)
        return [
            .addLink(link),
            try change(kind, to: recipient, about: user.id, at: time, token: secret.text, for: .trusted, now),
        ]
    }

    /// Creates the link that confirms a registration, and its mail.
    ///
    /// - Parameter byLink: whether the link confirms without the password.
    func confirmation(
        of registration: Registration, byLink: Bool, locales: [String], for asker: OutboxPlace.Asker, _ now: Int64
    ) throws -> [UserChange] {
        try link(
            byLink ? .confirmByLink : .confirm, byLink ? .confirmRegistrationByLink : .confirmRegistration,
            of: registration.id, to: registration.address, locales: locales, for: asker, now)
    }

    /// Creates a link and its mail. The stored expiry assumes that the mail waits as long as possible. The outbox sets the final
    /// expiry when it sends the mail to the provider.
    func link(
        _ purpose: AccountLink.Purpose, _ kind: MailNotice.Kind, of subject: UserID, to address: String,
        locales: [String], for asker: OutboxPlace.Asker, _ now: Int64
    ) throws -> [UserChange] {
        let secret = LinkSecret.random(suffices: purpose == .confirmByLink)
        let link = AccountLink(
            hash: secret.hash, purpose: purpose, subject: subject, address: address, createdAt: now,
            expiresAt: now + purpose.lifetimeSeconds + purpose.waitSeconds)
        return [
            .addLink(link),
            try change(
                kind, to: address, about: subject, at: link.expiresAt, token: secret.text, locales: locales, for: asker,
                now),
        ]
    }
}
