import EmailAddresses
import InternalAPI
import PhoneNumbers
import RedisClient

/// Reads the events of a phone number or email address; each reading is in the audit.
struct ReadTrace: Sendable {
    let redis: RedisClient
    let secrets: CodeSecrets
    /// Unix time in seconds.
    let now: @Sendable () -> Int64

    /// - Parameter reader: the reader for the audit; `nil` for the administrator of the request, or else the operator of the call.
    /// - Throws: `InvalidInput`; `ChallengeStoreFailure`.
    func callAsFunction(_ request: TraceRequest, by reader: RedisArgument? = nil) async throws -> TraceAnswer {
        let administrator = request.administrator.flatMap { OperatorName(administrator: $0) }
        let reader = reader ?? administrator.map { .text($0.auditText) } ?? .operatorOfCall
        guard (1...TraceRequest.hoursMax).contains(request.hours) else { throw InvalidInput(member: "hours") }
        let (now, tag) = (now(), secrets.tag(try Self.recipient(request.to)))
        let since = now - request.hours * 3_600
        let entries = try await read(tag, now, reader).compactMap(Self.entry)
        return TraceAnswer(entries: entries.filter { $0.at >= since })
    }

    private func read(
        _ tag: RecipientTag, _ now: Int64, _ reader: RedisArgument
    ) async throws(ChallengeStoreFailure) -> [RedisValue] {
        let reply = try await redis.call(
            CodeFunctions.readTrace, [RedisKeys.refusals, OTPAuditStream.key] + TraceBook.keys(tag, now: now),
            [
                "now": .integer(now), "field": .bytes(tag.field), "tag": .bytes(tag.bytes),
                "operator": reader,
            ])
        guard let entries = reply["entries"]?.arrayValue else { throw reply.failure }
        return entries
    }

    private static func entry(_ value: RedisValue) -> TraceAnswer.Entry? {
        let words = (value.arrayValue ?? []).map { $0.text ?? "" }
        guard words.count >= 4, let at = Int64(words[0]), let count = Int64(words[1]) else { return nil }
        return TraceAnswer.Entry(
            at: at, count: count, kind: words[2], requestID: words[3].isEmpty ? nil : words[3],
            details: Array(words.dropFirst(4)))
    }

    private static func recipient(_ text: String) throws(InvalidInput) -> Recipient {
        do {
            return text.contains("@")
                ? .email(try EmailAddress(parsing: text)) : .phone(try PhoneNumber(parsing: text, region: nil))
        } catch { throw InvalidInput(member: "to") }
    }
}
