package import InternalAPI

/// Puts messages into the development inbox instead of sending them.
package struct InboxSender: CodeSender {
    package let provider = "inbox"
    private let inbox: ServiceClient

    /// - Parameter transport: leads to the inbox and asserts as this process.
    package init(transport: any InternalTransport) {
        inbox = ServiceClient(service: "inbox", transport: transport)
    }

    package func send(_ message: CodeMessage) async throws(DeliveryFailure) -> String {
        let outgoing = OutgoingMessage(
            channel: message.channel, to: message.phone, text: message.text, code: message.code, link: nil,
            id: message.id)
        switch await deliver(outgoing) {
        case .answer: return message.id
        case .refused: throw .refused
        case nil: throw .unreachable
        }
    }

    private func deliver(_ outgoing: OutgoingMessage) async -> OperationOutcome<Done, InvalidRequestOnly>? {
        do throws(ServiceUnavailable) {
            return try await inbox.call(InboxOperations.deliver, outgoing, requestID: nil)
        } catch {
            return nil
        }
    }
}
