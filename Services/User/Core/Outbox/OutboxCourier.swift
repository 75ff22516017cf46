internal import CoreMetrics
internal import InternalAPI
internal import Logging
internal import StrictJSON

/// Carries outbox rows to their receivers and keeps book of what came of it.
struct OutboxCourier: Sendable {
    let store: any OutboxStore
    let tokenService: ServiceClient
    let clock: WallClock
    let logger: Logger

    /// Tells the receiver of `item`.
    ///
    /// - Returns: whether the receiver has confirmed it; if not, the row is due again later.
    func deliver(_ item: OutboxItem) async throws -> Bool {
        do throws(DeliveryFailure) {
            try await send(item.message)
        } catch {
            count(item, outcome: "failed")
            logger.warning(
                "outbox.delivery_failed",
                metadata: [
                    "outbox.kind": "\(item.message.kind.rawValue)", "outbox.attempts": "\(item.attempts + 1)",
                    "cause": "\(error.cause)",
                ])
            let pause = OutboxLimits.backoffSeconds(attempts: item.attempts + 1)
            try await store.postpone(item.id, until: clock.seconds + pause)
            return false
        }
        try await store.confirm(item.id)
        count(item, outcome: "confirmed")
        return true
    }

    private func send(_ message: OutboxMessage) async throws(DeliveryFailure) {
        switch message.kind {
        case .revokeUser:
            let request: RevokeUserRequest = try decode(message.payload)
            try await post(TokenContract.revokeUserPath, request)
        case .changeRights:
            let request: ChangeRightsRequest = try decode(message.payload)
            try await post(TokenContract.changeRightsPath, request)
        }
    }

    private func post(_ path: String, _ body: some Encodable & Sendable) async throws(DeliveryFailure) {
        let outcome: ServiceClient.Outcome<Done>
        do throws(ServiceUnavailable) {
            outcome = try await tokenService.post(path, body, requestID: nil)
        } catch {
            throw DeliveryFailure(cause: error.description)
        }
        if case .refused(let code) = outcome { throw DeliveryFailure(cause: "refused: \(code)") }
    }

    private func decode<Body: Decodable>(_ payload: String) throws(DeliveryFailure) -> Body {
        do { return try StrictJSON.decode(Body.self, from: Array(payload.utf8), limits: .own) } catch {
            throw DeliveryFailure(cause: "the stored message does not decode")
        }
    }

    private func count(_ item: OutboxItem, outcome: String) {
        Counter(
            label: "outbox_deliveries_total",
            dimensions: [("kind", item.message.kind.rawValue), ("outcome", outcome)]
        ).increment()
    }
}

/// A receiver did not confirm.
private struct DeliveryFailure: Error {
    /// For the log.
    let cause: String
}
