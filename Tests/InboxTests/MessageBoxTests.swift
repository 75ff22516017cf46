import InternalAPI
import Testing

@testable import InboxCore

@Suite struct MessageBoxTests {
    @Test func `only the newest messages are kept`() {
        let box = MessageBox()
        for number in 0..<(MessageBox.messagesMax + 25) {
            box.receive(
                OutgoingMessage(channel: "sms", to: "+1", text: "", code: nil, link: nil, id: "\(number)"), at: 0)
        }
        #expect(box.messages().count == MessageBox.messagesMax)
        #expect(box.messages().first?.id == "524")
        #expect(box.messages().last?.id == "25")
    }

    @Test func `two boxes never have the same version`() { #expect(MessageBox().version != MessageBox().version) }

    @Test(arguments: [
        "localhost", "localhost:8025", "LOCALHOST", "127.0.0.1:8025", "192.168.1.4", "[::1]:8025", "inbox:8025",
        "latchkey.localhost",
    ])
    func `names that only this network can give are local`(authority: String) {
        #expect(LocalName.isLocal(authority: authority))
    }

    @Test(arguments: [
        "", "evil.example", "evil.example:8025", "127.0.0.1.evil.example", "localhost.evil.example", "1.2.3",
        "1.2.3.256",
        "inbox.", ":8025", "[::1",
    ])
    func `names of the internet are not`(authority: String) { #expect(!LocalName.isLocal(authority: authority)) }
}
