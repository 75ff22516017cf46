import InternalAPI
import ServiceHTTP
import UserEvents

/// The operator's operation on the events for the app's back end.
struct EventRoutes: Sendable {
    let hook: UserHook?
    let users: any UserStore
    /// Unix time in seconds.
    let now: @Sendable () -> Int64

    func add(to routes: inout ServiceRoutes) {
        routes.serve(EventOperations.replay) { request, call in
            let origin = RequestOrigin.byOperator(call.requestID)
            let entry = AuditEntry(event: .outboxRetried, subject: .zero, origin: origin, detail: "events")
            try await users.note([.audit(entry)], now: now())
            return try await UserHook.replay(request, on: hook)
        }
    }
}
