import InternalAPI
import RedisClient

/// Records in the audit what an operator is about to read or change, before it happens.
struct NoteOperator: Sendable {
    let redis: RedisClient
    /// Unix time in seconds.
    let now: @Sendable () -> Int64

    /// - Parameters:
    ///   - recipient: the phone number or email address; `nil` if the record is not about a single one.
    ///   - detail: further words, never values.
    func callAsFunction(
        _ event: OTPAuditEvent, about recipient: RecipientTag? = nil, detail: String? = nil
    ) async throws(ChallengeStoreFailure) {
        let words = OperatorName.detail(detail, by: .current) ?? ""
        let reply = try await redis.call(
            CodeFunctions.note, [RedisKeys.refusals, OTPAuditStream.key],
            [
                "now": .integer(now()), "event": .text(event.rawValue), "tag": .bytes(recipient?.bytes ?? []),
                "detail": .text(words),
            ])
        guard reply.result == "noted" else { throw reply.failure }
    }
}
