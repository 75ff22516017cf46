import InternalAPI

/// The messages to other services when a user is removed.
struct RemovalMessages: Sendable {
    let userIDPrefix: String
    let seal: OutboxSeal

    /// - Parameters:
    ///   - user: the user as stored when the transaction removes them.
    ///   - now: Unix time in seconds.
    func about(_ user: User, now: Int64) throws -> [OutboxMessage] {
        // Without a phone number and an email address, otp-service has nothing to forget. One that went to another account is theirs.
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
