internal import InternalAPI

/// Changes a user's role or attributes, or deactivates him, at the operator's word.
///
/// The outbox rows are written with the change, so that token-service is told whatever happens to this process afterwards.
struct ChangeUser: Sendable {
    let store: any UserStore
    let courier: OutboxCourier
    let userIDPrefix: String
    let attributes: AttributeRules
    let clock: WallClock

    /// What a request came to.
    enum Result: Sendable, Equatable {
        /// Token-service has confirmed: older tokens are refused, or all sessions are over.
        case done
        /// The change is made; token-service has not confirmed, and the outbox keeps trying.
        case unconfirmed
        case unknown
        case invalid
    }

    func change(_ request: ChangeUserRequest, requestID: String?) async throws -> Result {
        guard let attributes = attributes.written(request.attributes ?? [:]),
            let change = RightsChange(role: request.role, isActive: request.isActive, attributes: attributes)
        else { return .invalid }
        guard let id = UserID(text: request.userID, prefix: userIDPrefix) else { return .unknown }
        let pending = try await store.changeRights(
            of: id, change, origin: RequestOrigin(requestID: requestID, method: RequestOrigin.operatorMethod),
            now: clock.seconds,
            messages: { [userIDPrefix] in try Self.messages(from: $0, to: $1, userIDPrefix) })
        guard let pending else { return .unknown }
        for item in pending {
            guard try await courier.deliver(item) else { return .unconfirmed }
        }
        return .done
    }

    private static func messages(from before: User, to after: User, _ prefix: String) throws -> [OutboxMessage] {
        var messages: [OutboxMessage] = []
        let userID = after.id.text(prefix: prefix)
        if after.version > before.version {
            let request = ChangeRightsRequest(userID: userID, role: after.role, version: after.version)
            messages.append(try OutboxMessage(.changeRights, encoding: request))
        }
        if after.epoch > before.epoch {
            let request = RevokeUserRequest(userID: userID, epoch: after.epoch, reason: .inactive)
            messages.append(try OutboxMessage(.revokeUser, encoding: request))
        }
        return messages
    }
}
