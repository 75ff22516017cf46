import AsyncHTTPClient
import Foundation
import OutgoingConnections
import ServiceCalls
import TestSupport
import Testing

@testable import Delivery

/// The word for each way in which a provider cannot be reached, whatever sends the message.
@Suite(.timeLimit(.minutes(5)), .serialized) struct ConnectionFailureTests {
    private static let limit: Duration = .seconds(2)

    private static func message(_ channel: String, to recipient: String) -> Message {
        var message = Message(
            id: "0f8fad5b-d9cb-469f-a165-70867728950e", channel: channel, recipient: recipient,
            content: Message.Content(subject: "s", text: "123456", code: "123456"), locale: nil, clientAddress: "")
        message.limit = limit
        return message
    }

    private func failure(_ sender: any MessageSender, _ channel: String, to recipient: String) async -> DeliveryFailure?
    {
        do throws(DeliveryFailure) {
            _ = try await sender.send(Self.message(channel, to: recipient))
            return nil
        } catch { return error }
    }

    private func withExchange(_ body: (HTTPProviderExchange) async throws -> Void) async throws {
        let client = makeHTTPClient()
        do { try await body(HTTPProviderExchange(client: client)) } catch {
            try await client.shutdown()
            throw error
        }
        try await client.shutdown()
    }

    private static var tries: SendTries {
        var tries = SendTries()
        (tries.countMax, tries.total) = (1, limit)
        return tries
    }

    @Test(arguments: FaultyServer.allCases)
    func `Twilio, the hook and Resend report the same word`(_ server: FaultyServer) async throws {
        let account = try TwilioAccount(sid: "AC" + String(repeating: "0", count: 32), tokens: "token12345\n")
        let signature = try WebhookSignature(secrets: "v1,whsec_" + Data(repeating: 7, count: 32).base64EncodedString())
        let from = try #require(MailFrom("a@acme.example"))
        try await withExchange { exchange in
            try await server.withURL { url in
                let verifications = TwilioVerifications(
                    url: url, account: account, service: "VA0", release: "1", exchange: exchange)
                let senders: [any MessageSender] = [
                    TwilioVerifySender(verifications, template: nil),
                    TwilioMessagingSender(
                        url: url, account: account, from: .number("+15005550006"), whatsApp: nil, callbackURL: nil,
                        validSeconds: 300, release: "1", exchange: exchange),
                    WebhookSender(url: url, signature: signature, exchange: exchange, tries: Self.tries, now: { 0 }),
                ]
                for sender in senders {
                    let failure = try #require(await failure(sender, "sms", to: "+15555550123"))
                    #expect(failure.code == server.word, "\(sender.provider): \(failure.text)")
                    #expect(failure.label == server.word && failure.isOutage && failure.rest == .anyWay)
                }
                let resend = ResendSender(
                    url: url, from: from, key: "re_1", release: "1", exchange: exchange, tries: Self.tries)
                #expect(await failure(resend, "email", to: "ann@example.com")?.code == server.word)
                #expect(
                    await verifications.check("123456", of: "+15555550123", within: Self.limit).label == server.word)
            }
        }
    }

    @Test(arguments: FaultyServer.allCases, [SMTPServer.Security.tls, .none])
    func `so does a mail server`(_ server: FaultyServer, security: SMTPServer.Security) async throws {
        guard server.usesTLS == (security == .tls) || [.closedPort, .wrongName].contains(server) else { return }
        let from = try #require(MailFrom("a@acme.example"))
        try await server.run { host, port in
            let sender = try SMTPSender(
                SMTPServer(host: host, port: port, security: security, helo: "auth.acme.example"), from: from,
                tries: Self.tries
            ) { 0 }
            // A mail server speaks first, so the silent ones never complete the connection.
            let word = [.silent, .closing].contains(server) ? "connect_timed_out" : server.word
            let failure = try #require(await failure(sender, "email", to: "ann@example.com"))
            #expect(failure.code == word, "\(failure.text)")
        }
    }

    @Test func `a response larger than allowed is no failure of the connection`() {
        #expect(DeliveryFailure(of: AnswerTooLarge(status: 200)).reason == .badAnswer)
        #expect(DeliveryFailure(of: ConnectionFailure.refused).reason == .connection(.refused))
    }
}

/// Authorities of the operator's own.
@Suite(.timeLimit(.minutes(5)), .serialized) struct OwnAuthorityTests {
    private func withAuthority(_ body: (TestAuthority) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/own-\(UUID().uuidString.prefix(8))"
        defer { _ = Result { try FileManager.default.removeItem(atPath: folder) } }
        try await body(try await TestAuthority.make(in: folder))
    }

    @Test func `an exchange trusts them only if it is told to`() async throws {
        try await withAuthority { authority in
            let server = try await authority.issue("server", .init(names: ["localhost"]))
            let own = try OwnAuthorities(file: authority.certificate)
            try await FaultyServer.withTLS(server, replying: "HTTP/1.1 204 \r\n\r\n") { port in
                let request = ProviderRequest(.get, url: "https://localhost:\(port)/", headers: [:], body: [])
                let client = makeHTTPClient()
                let plain = HTTPProviderExchange(client: client)
                let trusting = HTTPProviderExchange(client: client, authorities: own)
                // The first handshake also reads the system's authorities, which may take longer than a connection may.
                await #expect(throws: ConnectionFailure.self) { try await plain.send(request, within: Patience.limit) }
                // In turn over one client: connections of one must not serve the other.
                for _ in 0..<2 {
                    #expect(try await trusting.send(request, within: Patience.limit).status == 204)
                    await #expect(throws: ConnectionFailure.untrustedCertificate) {
                        try await plain.send(request, within: Patience.limit)
                    }
                }
                let otherName = ProviderRequest(.get, url: "https://127.0.0.1:\(port)/", headers: [:], body: [])
                await #expect(throws: ConnectionFailure.untrustedCertificate) {
                    try await trusting.send(otherName, within: Patience.limit)
                }
                try await client.shutdown()
            }
        }
    }

    @Test func `a mail server's own file counts alone, and the other in addition to the system's`() async throws {
        try await withAuthority { authority in
            let server = try await authority.issue("server")
            let foreign = try await TestAuthority.make("foreign", in: authority.folder)
            let own = try OwnAuthorities(file: authority.certificate)
            let from = try #require(MailFrom("a@acme.example"))
            var tries = SendTries()
            (tries.countMax, tries.total) = (1, .seconds(2))
            let trusts: [(SMTPServer.Trust, isTrusted: Bool)] = [
                (.system, false), (.systemAnd(try own.withSystem()), true), (.only(file: own.file), true),
                (.only(file: foreign.certificate), false),
            ]
            try await FaultyServer.withTLS(server, replying: "421 later\r\n") { port in
                for (trust, isTrusted) in trusts {
                    let sender = try SMTPSender(
                        SMTPServer(host: "localhost", port: port, security: .tls, helo: "a.example", trust: trust),
                        from: from, tries: tries
                    ) { 0 }
                    let message = Message(
                        id: "1", channel: "email", recipient: "ann@example.com",
                        content: Message.Content(subject: "s", text: "t"), locale: nil, clientAddress: "")
                    let failure = await #expect(throws: DeliveryFailure.self) { try await sender.send(message) }
                    #expect((failure?.reason != .connection(.untrustedCertificate)) == isTrusted, "\(trust)")
                }
            }
        }
    }

    @Test func `a file without a certificate is refused by its name`() async throws {
        try await withAuthority { authority in
            for file in ["/nowhere.pem", try await authority.issue("server").key] {
                let problem = #expect(throws: OwnAuthorities.Unreadable.self) { try OwnAuthorities(file: file) }
                #expect(problem?.description.contains(file) == true)
            }
        }
    }
}
