import Foundation
import Logging
import ServiceKit
import ServiceLifecycle
import Testing

@testable import Delivery
@testable import FakesCore

/// The sender with Debian's libcurl, against a mail server with real TLS.
@Suite(.timeLimit(.minutes(2)), .serialized) struct SMTPSenderTests {
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
            _ security: SMTPServer.Security = .starttls, roots: String? = nil, host: String = "localhost",
            total: Duration = .seconds(5)
        ) throws -> SMTPSender {
            var tries = SendTries()
            (tries.pause, tries.total) = (.milliseconds(20), total)
            let server = SMTPServer(
                host: host, port: port, security: security, credentials: .init(user: "u", password: "not in the clear"),
                rootsFile: roots ?? folder + "/smtp.pem")
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
            await #expect(throws: DeliveryFailure.untrusted) { try await sender.send(Self.message) }
            #expect(server.mails.all(to: nil).isEmpty && !server.script.seen.contains("AUTH"))
        }
        try await withServer { server in
            for sender in [
                try server.sender(roots: "/etc/ssl/certs/ca-certificates.crt"),
                try server.sender(host: "127.0.0.1"),
            ] {
                await #expect(throws: DeliveryFailure.untrusted) { try await sender.send(Self.message) }
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
        ("RCPT", "550 5.1.1 no such user", DeliveryFailure.undeliverable, 1),
        ("RCPT", "550 5.7.1 we do not like you", .refused, 1), ("RCPT", "550 go away", .refused, 1),
        ("RCPT", "553 5.1.10 null MX", .undeliverable, 1), ("RCPT", "451 4.7.1 greylisted", .throttled, 3),
        ("MAIL", "553 5.7.1 not your address", .refused, 1), ("MAIL", "421 4.3.2 busy", .throttled, 3),
        ("AUTH", "535 5.7.8 wrong password", .refused, 1), ("AUTH", "454 4.7.0 later", .throttled, 3),
        (".", "554 5.7.1 spam", .refused, 1), (".", "452 4.3.1 full", .throttled, 3),
        ("DATA", "550 5.1.1 not to the recipient", .refused, 1),
    ])
    func `each class of refusal has its meaning`(
        command: String, reply: String, failure: DeliveryFailure, tries: Int
    ) async throws {
        try await withServer { server in
            server.script.append([.init(provider: "smtp", at: command, reply: reply, always: true)])
            let sender = try server.sender()
            await #expect(throws: failure) { try await sender.send(Self.message) }
            let count = server.script.used
            #expect(count == tries, "\(command) \(reply): \(count)")
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
            server.script.append([.init(provider: "smtp", at: "MAIL", hang: 30, always: true)])
            let sender = try server.sender(total: .seconds(1))
            let start = ContinuousClock.now
            await withTaskGroup { group in
                for _ in 0..<40 {
                    group.addTask {
                        await #expect(throws: DeliveryFailure.self) { try await sender.send(Self.message) }
                    }
                }
            }
            #expect(ContinuousClock.now - start < .seconds(3))
        }
    }
}
