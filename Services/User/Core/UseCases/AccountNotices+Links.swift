import CryptoPrimitives
import InternalAPI

extension AccountNotices {
    /// A mail to whoever owns an address.
    ///
    /// - Parameters:
    ///   - user: the account, or the one that the link makes.
    ///   - time: what the mail says; Unix time in seconds, as `now`.
    func change(
        _ kind: MailNotice.Kind, to address: String, about user: UserID, at time: Int64, token: String? = nil,
        locales: [String] = [], _ now: Int64
    ) throws -> AccountChange {
        let notice = MailNotice(
            id: UUIDText.random(), to: address, kind: kind, at: time, token: token,
            locales: locales.isEmpty ? nil : locales)
        return .tell(try seal.message(.notice, encoding: notice, about: user), about: user, dueAt: now)
    }

    /// The link that confirms a registration, with its mail.
    ///
    /// - Parameter byLink: whether it does so without the password.
    func confirmation(
        of registration: Registration, byLink: Bool, locales: [String], _ now: Int64
    ) throws -> [AccountChange] {
        try link(
            byLink ? .confirmByLink : .confirm, byLink ? .confirmRegistrationByLink : .confirmRegistration,
            of: registration.id, to: registration.address, locales: locales, now)
    }

    /// A link with the mail that brings it.
    func link(
        _ purpose: AccountLink.Purpose, _ kind: MailNotice.Kind, of subject: UserID, to address: String,
        locales: [String], _ now: Int64
    ) throws -> [AccountChange] {
        let secret = LinkSecret.random()
        let link = AccountLink(
            hash: secret.hash, purpose: purpose, subject: subject, address: address,
            expiresAt: now + purpose.lifetimeSeconds)
        return [
            .addLink(link),
            try change(
                kind, to: address, about: subject, at: link.expiresAt, token: secret.text, locales: locales, now),
        ]
    }
}
