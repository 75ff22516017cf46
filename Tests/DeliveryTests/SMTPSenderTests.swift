import Foundation
import Logging
import NIOCore
import NIOPosix
import OutgoingConnections
import ServiceKit
import ServiceLifecycle
import Testing

@testable import Delivery
@testable import FakesCore

/// The sender with Debian's libcurl, against a mail server with real TLS.
@Suite(.timeLimit(.minutes(5)), .serialized) struct SMTPSenderTests {
    private static let message = Message(
        id: "0f8fad5b-d9cb-469f-a165-70867728950e", channel: "email", recipient: "ann@example.com",
        content: Message.Content(subject: "123456 is your code", text: ".dot\n123456\n", html: "<p>123456</p>\n"),
        locale: nil, clientAddress: "")

    /// A mail server of ours, and what it knows.
    private struct Server: Sendable {
        let mails: MailStore
        let script: Script
        let folder: String
        let port: Int

        func sender(
            _ security: SMTPServer.Security = .starttls, roots: String? = nil, trust: SMTPServer.Trust? = nil,
            host: String = "localhost",
            port other: Int? = nil, total: Duration = .seconds(5)
        ) throws -> SMTPSender {
            var tries = SendTries()
            (tries.pause, tries.total) = (.milliseconds(20), total)
            let server = SMTPServer(
                host: host, port: other ?? port, security: security,
                credentials: .init(user: "u", password: "not in the clear"),
                helo: "auth.acme.example", trust: trust ?? .only(file: roots ?? folder + "/smtp.pem"))
            let from = try #require(MailFrom("Acme <login@acme.example>"))
            return try SMTPSender(server, from: from, tries: tries) { 1_790_000_000 }
        }
    }

    private func withServer(tls: Bool = true, _ body: (Server) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/smtp-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { _ = Result { try FileManager.default.removeItem(atPath: folder) } }
        let (mails, script) = (MailStore(), Script())
        let (ports, listening) = AsyncStream.makeStream(of: Int.self)
        let fake = SMTPFake(
            address: ListenAddress(host: "127.0.0.1", port: 0), mails: mails, script: script,
            certificates: tls ? folder : nil, now: { 0 }, logger: Logger(label: "test"),
            onListening: { listening.yield($0) })
        let running = Task { try await fake.run() }
        defer { running.cancel() }
        let port = try #require(await ports.first { _ in true })
        try await body(Server(mails: mails, script: script, folder: folder, port: port))
    }

    @Test func `mails go out over one connection, dots and all`() async throws {
        try await withServer { server in
            let sender = try server.sender()
            for _ in 0..<3 { #expect(try await sender.send(Self.message) == Self.message.id) }
            let mails = server.mails.all(to: "ann@example.com")
            #expect(mails.count == 3 && mails[0].from == "login@acme.example")
            let source = try #require(mails[0].source)
            #expect(source.contains("\r\n.dot\r\n123456\r\n") && source.contains("Subject: 123456 is your code\r\n"))
            #expect(server.script.connections == 1)
        }
    }

    @Test func `without TLS, or with another's certificate, nothing is told`() async throws {
        try await withServer(tls: false) { server in
            let sender = try server.sender(roots: "/etc/ssl/certs/ca-certificates.crt")
            #expect(await failure(sender, Self.message)?.reason == .connection(.handshakeFailed))
            #expect(server.mails.all(to: nil).isEmpty && !server.script.seen.contains("AUTH"))
        }
        try await withServer { server in
            for sender in [
                try server.sender(roots: "/etc/ssl/certs/ca-certificates.crt"),
                try server.sender(host: "127.0.0.1"),
            ] {
                #expect(await failure(sender, Self.message)?.reason == .connection(.untrustedCertificate))
            }
            #expect(server.mails.all(to: nil).isEmpty && !server.script.seen.contains("MAIL"))
        }
    }

    @Test func `what is said in the clear after STARTTLS ends the connection`() async throws {
        try await withServer { server in
            server.script.append([
                .init(provider: "smtp", at: "STARTTLS", reply: "220 go ahead\n250 2.0.0 injected", always: true)
            ])
            let sender = try server.sender()
            await #expect(throws: DeliveryFailure.self) { try await sender.send(Self.message) }
            #expect(server.mails.all(to: nil).isEmpty)
        }
    }

    @Test(arguments: [
        ("RCPT", "550 5.1.1 no such user", DeliveryFailure.Reason.undeliverable, 1),
        ("RCPT", "550 5.7.1 we do not like you", .refused, 1), ("RCPT", "550 no such user", .undeliverable, 1),
        ("RCPT", "550", .undeliverable, 1), ("RCPT", "550 5.4.1 access denied", .undeliverable, 1),
        ("RCPT", "550 relaying denied", .refused, 1), ("RCPT", "554 go away", .refused, 1),
        ("MAIL", "550 no such user", .refused, 1), ("RCPT", "550-5.1.1 no such\n550 5.1.1 user", .undeliverable, 1),
        ("RCPT", "553 5.1.10 null MX", .undeliverable, 1), ("RCPT", "451 4.7.1 greylisted", .throttled, 3),
        ("MAIL", "553 5.7.1 not your address", .refused, 1), ("MAIL", "421 4.3.2 busy", .throttled, 3),
        ("AUTH", "535 5.7.8 wrong password", .refused, 1), ("AUTH", "454 4.7.0 later", .throttled, 3),
        (".", "554 5.7.1 spam", .refused, 1), (".", "452 4.3.1 full", .throttled, 3),
        ("DATA", "550 5.1.1 not to the recipient", .refused, 1),
    ])
    func `each class of refusal has its meaning`(
        command: String, reply: String, reason: DeliveryFailure.Reason, tries: Int
    ) async throws {
        try await withServer { server in
            server.script.append([.init(provider: "smtp", at: command, reply: reply, always: true)])
            let sender = try server.sender()
            let failure = try #require(await failure(sender, Self.message))
            #expect(failure.reason == reason && failure.isAlarm == (reason == .refused))
            let count = server.script.used
            #expect(count == tries, "\(command) \(reply): \(count)")
        }
    }

    @Test func `the server's words are reported, without address and password`() async throws {
        let plain = "\0u\0not in the clear".data(using: .utf8)?.base64EncodedString() ?? ""
        let cases = [
            (
                "MAIL", "550-5.7.1 [192.0.2.1] Our system has detected\n550 5.7.1 something.",
                "MAIL: 550 5.7.1 [192.0.2.1] Our system has detected 5.7.1 something."
            ),
            (
                "RCPT", "550 5.7.1 <ann@example.com>: Ann, ann+x is blocked",
                "RCPT: 550 5.7.1 (hidden) (hidden) (hidden) is blocked"
            ),
            (
                "AUTH", "535 5.7.8 AUTH PLAIN \(plain) for not in the clear",
                "AUTH: 535 5.7.8 AUTH PLAIN (hidden) for (hidden)"
            ),
            (
                ".", "554 5.6.0 \(String(repeating: "x", count: 300))",
                "mail: 554 5.6.0 " + String(repeating: "x", count: 184)
            ),
        ]
        for (command, reply, detail) in cases {
            try await withServer { server async throws in
                server.script.append([.init(provider: "smtp", at: command, reply: reply, always: true)])
                #expect(try await failure(server.sender(), Self.message)?.detail == detail)
            }
        }
    }

    @Test(arguments: [("EHLO", "no reply to EHLO"), ("RCPT", "no reply to RCPT"), (".", "no reply to the mail")])
    func `a server that falls silent is reported with the reply that did not come`(
        command: String, detail: String
    ) async throws {
        try await withServer { server in
            server.script.append([.init(provider: "smtp", at: command, hang: 30, always: true)])
            let failure = try #require(try await failure(server.sender(total: .seconds(1)), Self.message))
            #expect(failure.reason == .connection(.timedOut) && failure.detail == detail)
        }
    }

    @Test func `a server that never speaks is reported so`() async throws {
        try await withServer { server in
            let silent = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .bind(host: "127.0.0.1", port: 0).get()
            let port = try #require(silent.localAddress?.port)
            for (security, detail) in [
                (SMTPServer.Security.starttls, "connected, but no greeting"),
                (.tls, "no connection or TLS handshake"),
            ] {
                let sender = try server.sender(security, port: port, total: .seconds(1))
                let failure = try #require(await failure(sender, Self.message))
                #expect(failure.reason == .connection(.connectTimedOut) && failure.detail == detail)
            }
            try await silent.close()
            let gone = try #require(try await failure(server.sender(port: port), Self.message))
            #expect(gone.reason == .connection(.refused) && gone.detail == nil)
        }
    }

    @Test func `we introduce ourselves by the name of the settings`() async throws {
        try await withServer { server in
            _ = try await server.sender().send(Self.message)
            #expect(Set(server.script.greetings) == ["EHLO auth.acme.example"])
        }
    }

    @Test func `without a setting the name is the public host's, or the domain of the mails`() throws {
        let from = try #require(MailFrom("a@acme.example"))
        let cases = [
            ("auth.example.com", "auth.example.com"), ("localhost", "acme.example"), ("127.0.0.1", "acme.example"),
            ("::1", "acme.example"), ("latchkey", "acme.example"), (nil, "acme.example"),
            ("203.0.113.7", "[203.0.113.7]"), ("2001:db8::1", "[IPv6:2001:db8::1]"), ("999.1.1.1", "999.1.1.1"),
        ]
        for (host, name) in cases { #expect(SMTPServer.helo(publicHost: host, from: from) == name) }
        for name in ["a.example", "relay", "[192.0.2.1]", "[IPv6:2001:db8::1]"] { #expect(SMTPServer.isHelo(name)) }
        for name in ["", "a b", "-a.example", "a..b", "a.example.", "[x]", "a\r\nb", "ü.example"] {
            #expect(!SMTPServer.isHelo(name))
        }
    }

    @Test func `a lost reply is tried again under the same Message-ID`() async throws {
        try await withServer { server in
            server.script.append([.init(provider: "smtp", at: ".", drop: true)])
            let sender = try server.sender()
            #expect(try await sender.send(Self.message) == Self.message.id)
            let mails = server.mails.all(to: nil)
            #expect(mails.count == 2 && Set(mails.map(\.source)).count == 1)
        }
    }

    @Test func `a server that hangs holds nobody up for longer than the time of a send`() async throws {
        try await withServer { server in
            server.script.append([.init(provider: "smtp", at: "MAIL", hang: 600, always: true)])
            let sender = try server.sender(total: .seconds(1))
            let start = ContinuousClock.now
            await withTaskGroup { group in
                // One after another they would take longer than the deadline of a test.
                for _ in 0..<120 {
                    group.addTask {
                        await #expect(throws: DeliveryFailure.self) { try await sender.send(Self.message) }
                    }
                }
            }
            #expect(ContinuousClock.now - start < .seconds(60))
        }
    }
}
