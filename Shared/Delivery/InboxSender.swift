package import InternalAPI
import OutgoingConnections

/// Puts messages into the development inbox instead of sending them.
package struct InboxSender: MessageSender {
    package let provider = "inbox"
    package let abilities = SenderAbilities.everything
    private let inbox: ServiceClient

    /// - Parameter transport: The transport to the inbox, which asserts as this process.
    package init(transport: any InternalTransport) {
        inbox = ServiceClient(service: "inbox", transport: transport)
    }

    package func send(_ message: Message) async throws(DeliveryFailure) -> String {
        let outgoing = OutgoingMessage(
            channel: message.channel, to: message.recipient, subject: message.content.subject,
            text: message.content.text, html: message.content.html, code: message.content.code,
            link: message.content.link, id: message.id)
        switch try await deliver(outgoing) {
        case .answer: return message.id
        case .refused: throw .refused
        }
    }

    private func deliver(
        _ outgoing: OutgoingMessage
    ) async throws(DeliveryFailure) -> OperationOutcome<Done, InvalidRequestOnly> {
        do throws(ServiceUnavailable) {
            return try await inbox.call(InboxOperations.deliver, outgoing, requestID: nil)
        } catch {
            throw DeliveryFailure(connection: ConnectionFailure(startOf: error.reason) ?? .closed)
        }
    }
}
