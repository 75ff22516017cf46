import Foundation
import Subprocess
import Testing

@testable import Delivery

/// Mails as Python's `email` reads them, which knows the RFCs and reports each defect.
@Suite(.timeLimit(.minutes(1))) struct MailTextTests {
    private static let html = "<p>Grüße, <b>مرحبا</b> = 42</p>\n" + String(repeating: "lang ", count: 40) + "\n"

    private static func mail(
        subject: String, text: String, html: String? = html, from: String = "Acme <login@acme.example>"
    ) throws -> MailText {
        let message = Message(
            id: "0f8fad5b-d9cb-469f-a165-70867728950e", channel: "email", recipient: "ann@example.com",
            content: Message.Content(subject: subject, text: text, html: html), locale: nil, clientAddress: "")
        return MailText(from: try #require(MailFrom(from)), message: message, sentAt: 1_790_000_000)
    }

    private struct Read: Decodable {
        let defects: [String]
        let subject, from, to, date, id: String
        let parts: [[String]]
    }

    /// What Python makes of the bytes.
    private static func read(_ mail: MailText) async throws -> Read {
        let program = """
            import email, email.policy, json, sys
            message = email.message_from_bytes(sys.stdin.buffer.read(), policy=email.policy.default)
            everything = list(message.walk())
            defects = [str(d) for part in everything for d in part.defects]
            defects += [f"{k}: {d}" for part in everything for k, v in part.items() for d in getattr(v, "defects", [])]
            print(json.dumps({
                "defects": defects, "subject": message["Subject"], "from": str(message["From"]),
                "to": message["To"], "date": message["Date"].datetime.isoformat(), "id": message["Message-ID"],
                "parts": [[p.get_content_type(), p.get_content().replace(chr(13), "")] for p in everything if not p.is_multipart()]}))
            """
        let result = try await Subprocess.run(
            .name("python3"), arguments: ["-c", program], input: .array(try mail.bytes()),
            output: .bytes(limit: 1 << 20),
            error: .currentStandardError)
        return try JSONDecoder().decode(Read.self, from: Data(result.standardOutput))
    }

    @Test(arguments: [
        ("123456 is your Acme code", "Your code\n\n123456\n"),
        (
            "123456 ist dein Code für Möbel & Söhne – bitte gut merken, er gilt zehn Minuten",
            "Grüße\n.\n..x\nblank at the end \n"
        ),
        ("رمزك هو 123456", "الرمز\n\n123456\n"), ("=?UTF-8?Q?looks_encoded?=", "From here on\n"),
        ("a", String(repeating: "=", count: 300) + "\n" + String(repeating: "ü", count: 100) + "\n"),
    ])
    func `a mail has no defect and says what it shall`(subject: String, text: String) async throws {
        let mail = try Self.mail(subject: subject, text: text)
        let read = try await Self.read(mail)
        #expect(read.defects.isEmpty)
        #expect(read.subject == subject && read.to == "ann@example.com")
        #expect(read.from == "Acme <login@acme.example>")
        #expect(read.date == "2026-09-21T14:13:20+00:00")
        #expect(read.id == "<0f8fad5b-d9cb-469f-a165-70867728950e@acme.example>")
        #expect(read.parts == [["text/plain", text], ["text/html", Self.html]])
        let lines = try mail.bytes().split(separator: 0x0A)
        #expect(
            lines.allSatisfy {
                $0.last == 0x0D && $0.count <= 998 && $0.dropLast().allSatisfy { $0 < 0x80 && $0 != 0x0D }
            })
    }

    @Test func `a name that is not ASCII arrives`() async throws {
        let read = try await Self.read(try Self.mail(subject: "s", text: "t\n", from: "Möbel Söhne <a@example.com>"))
        #expect(read.defects.isEmpty && read.from == "Möbel Söhne <a@example.com>")
    }

    @Test func `nothing ends a header line before its end`() throws {
        let read = try Self.mail(subject: "s\r\nBcc: eve@example.com", text: "t").bytes()
        #expect(!String(decoding: read, as: UTF8.self).contains("\r\nBcc"))
        let message = Message(
            id: "x", channel: "email", recipient: "ann@example.com\r\nBcc: eve@example.com",
            content: Message.Content(subject: "s", text: "t"), locale: nil, clientAddress: "")
        let from = try #require(MailFrom("a@example.com"))
        #expect(throws: DeliveryFailure.badAnswer) { try MailText(from: from, message: message, sentAt: 0).bytes() }
    }

    @Test(arguments: [
        "", "Acme", "Acme <>", "Acme <a@b>", "\"Acme\" <a@example.com>", "A\r\nB <a@example.com>", "<a@example.com>",
    ])
    func `what is no sender is refused`(text: String) { #expect(MailFrom(text) == nil) }
}
