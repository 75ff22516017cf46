import Foundation
import InternalAPI
import OutgoingConnections
import Testing

@testable import Delivery

private let message = Message(
    id: "m1", channel: "sms", recipient: "+15551234567",
    content: Message.Content(text: "Your code is 472918", code: "472918"), locale: nil, clientAddress: "198.51.100.7")

/// An inbox that answers every request in the same way; nil: it does not answer.
private struct FakeInbox: InternalTransport {
    let status: Int?
    let received: @Sendable (InternalRequest) -> Void

    func send(_ request: InternalRequest) async throws(ServiceUnavailable) -> InternalResponse {
        received(request)
        guard let status else { throw ServiceUnavailable(service: "inbox", reason: "down") }
        return InternalResponse(status: status, body: Array(#"{"code":"invalid_request"}"#.utf8))
    }
}

@Suite(.timeLimit(.minutes(5))) struct SendersTests {
    @Test func `the inbox gets the message as agreed`() async throws {
        try await confirmation { confirm async throws in
            let inbox = FakeInbox(status: 200) { request in
                let expected = OutgoingMessage(
                    channel: "sms", to: "+15551234567", text: "Your code is 472918", code: "472918", link: nil, id: "m1"
                )
                #expect(request.path == InboxOperations.deliver.path)
                #expect(throws: Never.self) {
                    let received = try JSONDecoder().decode(OutgoingMessage.self, from: Data(request.body))
                    #expect(received == expected)
                }
                confirm()
            }
            #expect(try await InboxSender(transport: inbox).send(message) == "m1")
        }
    }

    @Test(
        arguments: [(400, DeliveryFailure.Reason.refused), (503, .connection(.closed)), (nil, .connection(.closed))]
            as [(Int?, DeliveryFailure.Reason)])
    func `an inbox that does not take the message is a failure`(status: Int?, reason: DeliveryFailure.Reason) async {
        let sender = InboxSender(transport: FakeInbox(status: status) { _ in })
        await #expect(throws: DeliveryFailure(reason)) { try await sender.send(message) }
    }

    @Test func `a metered sender answers as the one in it`() async throws {
        let sender = MeteredSender(InboxSender(transport: FakeInbox(status: 200) { _ in }))
        #expect(try await sender.send(message) == "m1")
        #expect(sender.provider == "inbox")
        let refused = MeteredSender(InboxSender(transport: FakeInbox(status: 400) { _ in }))
        await #expect(throws: DeliveryFailure.refused) { try await refused.send(message) }
    }
}
