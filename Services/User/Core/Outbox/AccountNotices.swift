import CryptoPrimitives
import InternalAPI
import Policies

/// Creates mails about accounts, and text messages to users without an email address. Each is written to the outbox in the
/// transaction of the event that it reports.
struct AccountNotices: Sendable {
    let seal: OutboxSeal
    /// Whether users get mails.
    var sendsMail = true
    /// Whether users who get no mail are told of changes by text messages.
    var sendsTexts = false

    /// - Returns: the notices of changes that a policy sends.
    static func ofChanges(_ policy: Policy, _ seal: OutboxSeal) -> Self {
        Self(seal: seal, sendsMail: policy.sendsMail, sendsTexts: policy.sendsTextNotices)
    }

    /// Creates the notice that an account was scheduled for deletion, if the user has an email address.
    ///
    /// - Parameter dueAt: the time at which the account is removed, in Unix seconds.
    func deletion(of user: User, dueAt: Int64) throws -> [OutboxMessage] {
        guard let email = user.email else { return [] }
        let notice = MailNotice(id: UUIDText.random(), to: email, kind: .accountDeletion, at: dueAt)
        let place = OutboxPlace(notice.kind, for: .trusted)
        return [try seal.message(.notice, encoding: notice, about: user.id, place: place)]
    }
}
