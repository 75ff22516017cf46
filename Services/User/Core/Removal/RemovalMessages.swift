import InternalAPI

/// The messages to other services when a user is removed.
struct RemovalMessages: Sendable {
    let userIDPrefix: String
    let seal: OutboxSeal

    /// - Parameters:
    ///   - user: the user as stored when the transaction removes them.
    ///   - now: Unix time in seconds.
    func about(_ user: User, now: Int64) throws -> [OutboxMessage] {
        // An identity that went to another account belongs to that user, so otp-service keeps its networks.
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
