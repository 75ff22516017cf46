/// A change is stored, but token-service has not confirmed its messages. The outbox keeps trying, and a repeat succeeds then.
struct Unconfirmed: Error {}

extension OutboxCourier {
    /// Delivers the waiting messages about a user to token-service.
    ///
    /// - Throws: `Unconfirmed` if token-service has not confirmed all of them.
    func confirmPending(about user: UserID) async throws {
        guard try await deliverPending(about: user) else { throw Unconfirmed() }
    }
}
