import InternalAPI

/// The messages to other services when a user is removed.
struct RemovalMessages: Sendable {
    let userIDPrefix: String
    let seal: OutboxSeal

    /// - Parameters:
    ///   - user: the user as stored when the transaction removes them.
    ///   - merged: the users who were merged into this one.
    ///   - now: Unix time in seconds.
    func about(_ user: User, merged: [MergedUser] = [], now: Int64) throws -> [OutboxMessage] {
        let (epoch, overflows) = user.epoch.addingReportingOverflow(1)
        let tokens =
            [try tokens(of: user.id, overflows ? user.epoch : epoch)]
            + (try merged.map { try self.tokens(of: $0.id, $0.epoch) })
        // An identity that went to another account belongs to that user, so otp-service keeps its networks.
        guard user.phone != nil || user.email != nil else { return tokens }
        return tokens + [
            try seal.forgetting(user.id, phone: user.phone, email: user.email, networksUntil: now)
        ]
    }

    private func tokens(of user: UserID, _ epoch: Int64) throws -> OutboxMessage {
        let request = RemoveUserRequest(userID: user.text(prefix: userIDPrefix), epoch: epoch)
        return try OutboxMessage(.removeUser, encoding: request)
    }
}
