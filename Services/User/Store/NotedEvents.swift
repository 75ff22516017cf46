import InternalAPI
import UserCore
import UserEvents

/// The events in the changes of an operation, each kind once for each user.
struct NotedEvents {
    /// The events in the order of the changes.
    private(set) var inOrder: [UserEvent] = []

    mutating func note(_ kind: UserEvent.Kind, of user: UserID, subject: UserID? = nil) {
        let event = UserEvent(kind, of: user.bytes, subject: subject?.bytes)
        if !inOrder.contains(event) { inOrder.append(event) }
    }
}

extension UserEvent.Kind {
    /// Returns the kind of event that a security decision is; `nil` if it is none, or if the change itself notes the event.
    init?(_ decision: SecurityDecision.Kind) {
        switch decision {
        case .deactivated: self = .deactivated
        case .reactivated: self = .reactivated
        case .roleGiven: self = .roleChanged
        case .identityLost, .identityAdded: self = .identityChanged
        case .deletionRequested: self = .deletionScheduled
        case .deletionWithdrawn: self = .restored
        case .roleLost, .passwordChanged, .merged, .reviewOpened, .reviewCleared, .invitationEnded,
            .clientRevoked, .passkeyLost, .secondFactorLost:
            return nil
        }
    }
}
