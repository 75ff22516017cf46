import InternalAPI
import ServiceHTTP

/// The operator's operations on the outbox. Each row only translates.
struct OutboxRoutes: Sendable {
    let store: any OutboxStore
    let users: any UserStore
    let userIDPrefix: String
    /// Unix time in seconds.
    let now: @Sendable () -> Int64

    private static let unknown =
        "There is no such row; of those that wait, only mails and messages to Apple can be dropped"

    /// Adds all operations.
    func add(to routes: inout ServiceRoutes) {
        routes.serve(OutboxOperations.list) { request, call in
            // A first page only: the further ones belong to the same listing.
            if request.cursor == nil {
                let entry = AuditEntry(event: .lookedUp, subject: .zero, origin: Self.origin(call), detail: "outbox")
                try await users.note([.audit(entry)], now: now())
            }
            let rows = try await store.listed(behind: request.cursor, limit: OutboxLimits.listedMax)
            return .answer(OutboxPage(rows: rows.map(row), isLast: rows.count < OutboxLimits.listedMax))
        }
        routes.serve(OutboxOperations.retry) { request, call in
            try await store.retry(request.id, origin: Self.origin(call), now: now())
                ? .answer(Done()) : .refused(.notFound, title: Self.unknown)
        }
        // Only messages to providers can be dropped. token- and otp-service must receive the other messages: a session that is not
        // revoked is worse than a row that waits.
        routes.serve(OutboxOperations.drop) { request, call in
            for lane in OutboxMessage.Lane.allCases where lane.isProviders {
                if try await store.drop(request.id, in: lane, origin: Self.origin(call), now: now()) {
                    return .answer(Done())
                }
            }
            return .refused(.notFound, title: Self.unknown)
        }
    }

    private static func origin(_ call: ServiceCall) -> RequestOrigin {
        RequestOrigin.byOperator(call.requestID)
    }

    private func row(_ listing: OutboxListing) -> OutboxPage.Row {
        OutboxPage.Row(
            id: listing.id, lane: listing.lane, kind: listing.kind, userID: listing.user.text(prefix: userIDPrefix),
            attempts: listing.attempts, nextAttemptAt: listing.nextAttemptAt, createdAt: listing.createdAt)
    }
}
