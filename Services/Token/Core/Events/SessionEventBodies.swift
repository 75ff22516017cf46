import InternalAPI
import Policies
import ServiceKit
import UserEvents

/// The bodies of events of sessions, with Security Event Tokens if the policy says so (`userHook.format`).
struct SessionEventBodies: Sendable {
    let userIDs: StoredUserID
    /// `nil` without Security Event Tokens.
    let tokens: SecurityEventTokens?

    func callAsFunction(_ events: [QueuedEvent]) async throws -> [EventBody] {
        guard let tokens else { return events.map(body) }
        // A signature with RS256 would block the process's event loop.
        return try await withTaskExecutorPreference(globalConcurrentExecutor) {
            try await signed(events, tokens)
        }
    }

    @concurrent
    private func signed(_ events: [QueuedEvent], _ tokens: SecurityEventTokens) async throws -> [EventBody] {
        try events.map { event in
            var body = body(event)
            // A token is about one session.
            guard event.subject != nil else { return body }
            body.data.securityEventToken = try tokens.token(of: event, userID: userIDs.text(event.user))
            return body
        }
    }

    private func body(_ event: QueuedEvent) -> EventBody {
        var body = EventBody(event, userID: userIDs.text(event.user))
        body.data.sessionId = event.subject.flatMap(SessionID.init)?.text
        body.data.reason = event.reason
        return body
    }
}
