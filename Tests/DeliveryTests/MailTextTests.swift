import Foundation
import Subprocess
import Testing

@testable import Delivery

/// Mails as Python's `email` reads them, which knows the RFCs and reports each defect.
@Suite(.timeLimit(.minutes(5))) struct MailTextTests {
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
        let subject, from, to, date, id, name, address: String
        let parts: [[String]]
    }

    /// Returns the mail as Python parses the bytes.
    private static func read(_ mail: MailText) async throws -> Read {
        let program = """
            import email, email.header, email.policy, email.utils, json, sys
            source = sys.stdin.buffer.read()
            message = email.message_from_bytes(source, policy=email.policy.default)
            everything = list(message.walk())
            defects = [str(d) for part in everything for d in part.defects]
            defects += [f"{k}: {d}" for part in everything for k, v in part.items() for d in getattr(v, "defects", [])]
            # The newer parser of Python puts a blank between two encoded words of a name (RFC 2047 §6.2 does not).
            plain = email.message_from_bytes(source)["From"].replace("\\r", "").replace("\\n", "")
            name, address = email.utils.parseaddr(plain)
            print(json.dumps({
                "defects": defects, "subject": message["Subject"], "from": str(message["From"]),
                "name": str(email.header.make_header(email.header.decode_header(name))), "address": address,
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
        // RFC 2047 §2: such a line has at most 76 characters.
        #expect(
            lines.map { String(decoding: $0.dropLast(), as: UTF8.self) }.filter { $0.contains("=?UTF-8?") }.allSatisfy {
                $0.utf8.count <= 76
            })
        #expect(
            lines.allSatisfy {
                $0.last == 0x0D && $0.count <= 998 && $0.dropLast().allSatisfy { $0 < 0x80 && $0 != 0x0D }
            })
    }

    @Test(arguments: [
        ("Acme, Inc.", "Acme, Inc."), ("Ben & Co", "Ben & Co"), ("O'Neil", "O'Neil"), ("हिन्दी ऐप", "हिन्दी ऐप"),
        ("Möbel Söhne", "Möbel Söhne"), ("\"Acme, Inc.\"", "Acme, Inc."), ("\"A \\\"B\\\" \\\\ C\"", "A \"B\" \\ C"),
        ("The \"Best\" Shop", "The \"Best\" Shop"), ("A <b> C", "A <b> C"), ("a@b", "a@b"),
        ("Ünited, Inc.", "Ünited, Inc."),
        ("=?UTF-8?B?w5xuaXRlZA==?= =?utf-8?q?_x=2E?=", "Ünited x."), ("🙂", "🙂"), ("A  B", "A  B"),
        (
            "Eine sehr lange Firma für Möbel und Söhne in Österreich – mit noch einem Zusatz",
            "Eine sehr lange Firma für Möbel und Söhne in Österreich – mit noch einem Zusatz"
        ),
    ])
    func `any name of a sender arrives`(written: String, name: String) async throws {
        let address = "a-rather-long-mailbox@mail.example.com"
        let mail = try Self.mail(subject: "s", text: "t\n", from: "\(written) <\(address)>")
        let read = try await Self.read(mail)
        #expect(read.defects.isEmpty && read.name == name && read.address == address)
        let head = String(decoding: try mail.bytes(), as: UTF8.self).prefix { $0 != "T" }
        let lines = head.split(separator: "\r\n").filter { $0.contains("=?") }
        #expect(lines.allSatisfy { $0.utf8.count <= 76 })
        // In JSON the name is quoted where it has to be, and reads the same again.
        #expect(MailFrom(mail.from.text)?.name == name)
    }

    @Test func `subjects of every length keep to the lines of encoded words`() throws {
        for count in 1...120 {
            for text in [String(repeating: "ü", count: count), "a" + String(repeating: "字", count: count)] {
                let lines = ("Subject: " + EncodedWords.text(text, after: 9)).split(separator: "\r\n")
                #expect(lines.allSatisfy { $0.utf8.count <= 76 } && lines.allSatisfy { !$0.contains("?Q??=") })
            }
        }
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
        "", "Acme", "Acme <>", "Acme <a@b>", "A\r\nB <a@example.com>", "<a@example.com>", "\"\" <a@example.com>",
        "A\u{202E}B <a@example.com>", "Acme < a@example.com>", "=?latin1?Q?x?= <a@example.com>",
        "=?UTF-8?B?!?= <a@example.com>", String(repeating: "x", count: 129) + " <a@example.com>",
    ])
    func `what is no sender is refused`(text: String) { #expect(MailFrom(text) == nil) }
}
