import InternalAPI
import RedisClient

/// Returns what is stored about a user's phone numbers and email addresses, for the copy of their data. The reading is in the audit.
struct ExportMessages: Sendable {
    let readTrace: ReadTrace
    /// `nil` if no mail is sent.
    let mail: ManageMail?

    /// - Throws: `InvalidInput`; `ChallengeStoreFailure`.
    func callAsFunction(_ request: MessagesExportRequest) async throws -> MessagesExportPart {
        guard request.recipients.count <= MessagesExportRequest.recipientsMax else {
            throw InvalidInput(member: "recipients")
        }
        var messages: [ExportedMessages] = []
        for recipient in request.recipients { messages.append(try await export(recipient)) }
        return MessagesExportPart(messages: messages)
    }

    private func export(_ recipient: String) async throws -> ExportedMessages {
        let trace = try await readTrace(TraceRequest(to: recipient, hours: TraceRequest.hoursMax), by: "export")
        var messages = ExportedMessages(
            to: recipient,
            events: trace.entries.map {
                .init(at: $0.at, count: $0.count, kind: $0.kind, requestID: $0.requestID, details: $0.details)
            })
        guard recipient.contains("@"), let mail else { return messages }
        let standing = try await mail.standing(MailAddressRequest(to: recipient))
        messages.mailBlock = standing.block?.rawValue
        messages.mailBlockedUntil = standing.blockedUntil
        messages.mailsNotSent = Int64(standing.swallowed)
        return messages
    }
}
