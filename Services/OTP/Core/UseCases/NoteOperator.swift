import InternalAPI
import RedisClient

/// Records in the audit what an operator is about to read or change, before it happens.
struct NoteOperator: Sendable {
    let redis: RedisClient
    let script: RedisFunction
    /// Unix time in seconds.
    let now: @Sendable () -> Int64

    /// - Parameters:
    ///   - recipient: the phone number or email address; `nil` if the record is not about a single one.
    ///   - detail: further words, never values.
    func callAsFunction(
        _ event: OTPAuditEvent, about recipient: RecipientTag? = nil, detail: String? = nil
    ) async throws(ChallengeStoreFailure) {
        let words = OperatorName.detail(detail, by: .current) ?? ""
        let reply: RedisValue
        do throws(RedisError) {
            reply = try await redis.call(
                script, keys: [RedisKeys.refusals, OTPAuditStream.key],
                arguments: [.integer(now()), .text(event.rawValue), .bytes(recipient?.bytes ?? []), .text(words)])
        } catch {
            throw ChallengeStoreFailure("Redis: \(error.code.rawValue): \(error.message)")
        }
        guard reply.arrayValue?.first?.text != "audit_full" else { throw ScriptReply.auditFull }
    }
}
