import CryptoPrimitives
import InternalAPI

/// What people are told by mail of their accounts; each notice is written with what it tells of.
struct AccountNotices: Sendable {
    let seal: OutboxSeal

    /// That an account was given up, to who has an address.
    ///
    /// - Parameter dueAt: when it is removed, in Unix seconds.
    func deletion(of user: User, dueAt: Int64) throws -> [OutboxMessage] {
        guard let email = user.email else { return [] }
        let notice = MailNotice(id: UUIDText.random(), to: email, kind: .accountDeletion, at: dueAt)
        let place = OutboxPlace(notice.kind, for: .trusted)
        return [try seal.message(.notice, encoding: notice, about: user.id, place: place)]
    }
}
