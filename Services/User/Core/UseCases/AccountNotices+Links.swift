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
        code: String? = nil, back: MailReturn? = nil, locales: [String] = [], deletionAt: Int64? = nil,
        for asker: OutboxPlace.Asker, _ now: Int64
    ) throws -> UserChange {
        let notice = MailNotice(
            id: UUIDText.random(), to: address, kind: kind, at: time, token: token, code: code, back: back,
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
    /// - Parameters:
    ///   - byLink: whether the link confirms without the password.
    ///   - tags: as in `link`; so is `back`.
    func confirmation(
        of registration: Registration, byLink: Bool, codedBy tags: CallTags, back: MailReturn?, locales: [String],
        for asker: OutboxPlace.Asker, _ now: Int64
    ) throws -> [UserChange] {
        try link(
            byLink ? .confirmByLink : .confirm, byLink ? .confirmRegistrationByLink : .confirmRegistration,
            of: registration.id, to: registration.address, codedBy: tags, back: back, locales: locales, for: asker, now)
    }

    /// Creates a link and its mail. The stored expiry assumes that the mail waits as long as possible. The outbox sets the final
    /// expiry when it sends the mail to the provider. A code beside the link expires as if the mail had not waited.
    ///
    /// - Parameters:
    ///   - tags: the tags of codes; `nil` for a mail without a code.
    ///   - back: the way back to an app of the dialect `supabase`, whose mail may have a code alone; `nil` for a link to a page.
    func link(
        _ purpose: AccountLink.Purpose, _ kind: MailNotice.Kind, of subject: UserID, to address: String,
        codedBy tags: CallTags? = nil, back: MailReturn? = nil, locales: [String], for asker: OutboxPlace.Asker,
        _ now: Int64
    ) throws -> [UserChange] {
        func row(_ hash: [UInt8], wait: Int64) -> AccountLink {
            AccountLink(
                hash: hash, purpose: purpose, subject: subject, address: address, createdAt: now,
                expiresAt: now + purpose.lifetimeSeconds + wait)
        }
        let secret = back?.hasLink == false ? nil : LinkSecret.random(suffices: purpose == .confirmByLink)
        let code = tags.map { _ in LinkCode.random() }
        let rows = [
            secret.map { row($0.hash(for: back?.challenge), wait: purpose.waitSeconds) },
            tags.flatMap { tags in code.map { row($0.hash(purpose, at: address, tags), wait: 0) } },
        ].compactMap { $0 }
        return rows.map { .addLink($0) } + [
            try change(
                kind, to: address, about: subject, at: rows.first?.expiresAt ?? now, token: secret?.text,
                code: code?.digits, back: back, locales: locales, for: asker, now)
        ]
    }
}
