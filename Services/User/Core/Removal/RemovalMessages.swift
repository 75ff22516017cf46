import InternalAPI

/// What other services are told when a user is removed.
struct RemovalMessages: Sendable {
    let userIDPrefix: String
    let seal: OutboxSeal

    /// - Parameters:
    ///   - user: as he is in the transaction that removes him.
    ///   - now: Unix time in seconds.
    func about(_ user: User, now: Int64) throws -> [OutboxMessage] {
        // A number that went to another account is that one's.
        guard user.phone != nil || user.email != nil else { return [try tokens(user)] }
        return [
            try tokens(user),
            try seal.forgetting(user.id, phone: user.phone, email: user.email, networksUntil: now),
        ]
    }

    private func tokens(_ user: User) throws -> OutboxMessage {
        let (epoch, overflows) = user.epoch.addingReportingOverflow(1)
        let request = RemoveUserRequest(
            userID: user.id.text(prefix: userIDPrefix), epoch: overflows ? user.epoch : epoch)
        return try OutboxMessage(.removeUser, encoding: request)
    }
}
