import InternalAPI

extension WireExamples {
    /// Requests and responses of `InboxOperations`.
    static func inbox() throws -> [WireText] {
        [
            try WireText(
                "Inbox.deliver", InboxOperations.deliver,
                requests: [
                    OutgoingMessage(
                        channel: "sms", to: "+15551234567", text: "Code 123456", code: "123456", link: nil, id: "1"),
                    OutgoingMessage(
                        channel: "email", to: "a@example.org", text: "Hello", code: nil, link: "https://example.org/a",
                        id: "2"),
                ],
                answers: [
                    Done()
                ])
        ]
    }
}
