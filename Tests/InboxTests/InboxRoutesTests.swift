import AsyncHTTPClient
import CryptoPrimitives
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import InternalAPI
import NIOCore
import NIOHTTP1
import ServiceCalls
import TestSupport
import Testing

@testable import InboxCore

@Suite(.timeLimit(.minutes(5))) struct InboxRoutesTests {
    private struct Shown: Decodable, Equatable {
        let id: String
        let channel: String
        let to: String
        let text: String
        let code: String?
        let link: String?
        let createdAt: Int64
    }

    private let keys: KeyRing
    private let calls: OwnCalls
    private let application: any ApplicationProtocol

    init() throws {
        keys = try KeyRing(parsing: "k1 \(Hex.encode(SecureRandom.bytes(32)))")
        calls = OwnCalls(to: "inbox", keys: [.otp: keys])
        let routes = InboxRoutes(box: MessageBox(), page: InboxPage()) { 1_800_000_000 }
        let router = routes.router(verifier: calls.verifier)
        application = Application(router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)))
    }

    private func message(
        _ id: String, to: String = "+15551234567", text: String = "Your code is 472918", code: String? = "472918",
        link: String? = nil
    ) -> OutgoingMessage {
        OutgoingMessage(channel: "sms", to: to, text: text, code: code, link: link, id: id)
    }

    private func deliver(
        _ message: OutgoingMessage, over client: any TestClientProtocol, asserted: Bool = true
    ) async throws -> Int {
        let body = Array(try JSONEncoder().encode(message))
        var headers = HTTPFields()
        if asserted {
            headers[try #require(HTTPField.Name(AssertionSigner.header))] =
                calls.sign(
                    AssertedRequest(method: "POST", path: InboxOperations.deliver.path, body: body), as: .otp,
                    keys: keys
                ).text
        }
        return try await client.execute(
            uri: InboxOperations.deliver.path, method: .post, headers: headers, body: ByteBuffer(bytes: body)
        ) { $0.status.code }
    }

    private func get(
        _ path: String, over client: any TestClientProtocol
    ) async throws -> (status: Int, text: String, headers: HTTPFields) {
        try await client.execute(uri: path, method: .get) { ($0.status.code, String(buffer: $0.body), $0.headers) }
    }

    private func shown(_ query: String = "", over client: any TestClientProtocol) async throws -> [Shown] {
        try JSONDecoder().decode(
            [Shown].self, from: Data(try await get("/api/messages\(query)", over: client).text.utf8))
    }

    @Test func `a delivered message is shown, the newest first, and a repeat of it once`() async throws {
        try await application.test(.router) { client async throws in
            #expect(try await deliver(message("1"), over: client) == 200)
            #expect(try await deliver(message("2", to: "betty@example.com", code: nil), over: client) == 200)
            #expect(try await deliver(message("1"), over: client) == 200)
            let all = try await shown(over: client)
            #expect(all.map(\.id) == ["2", "1"])
            #expect(all.last?.code == "472918")
            #expect(all.last?.createdAt == 1_800_000_000)
            let text = try await get("/api/messages", over: client).text
            #expect(text.contains(#""link":null"#))
        }
    }

    @Test func `a delivery without an assertion is 401 and shows nothing`() async throws {
        try await application.test(.router) { client async throws in
            #expect(try await deliver(message("1"), over: client, asserted: false) == 401)
            #expect(try await shown(over: client).isEmpty)
        }
    }

    @Test(arguments: ["%2B15551234567", "+15551234567", "%2015551234567", "15551234567"])
    func `messages are found by number, however its plus came through the query`(recipient: String) async throws {
        try await application.test(.router) { client async throws in
            _ = try await deliver(message("1"), over: client)
            _ = try await deliver(message("2", to: "+15551234568"), over: client)
            #expect(try await shown("?to=\(recipient)", over: client).map(\.id) == ["1"])
            #expect(try await shown("?to=", over: client).isEmpty)
        }
    }

    @Test func `messages are found by address in any case`() async throws {
        try await application.test(.router) { client async throws in
            _ = try await deliver(message("1", to: "Betty@Example.com"), over: client)
            #expect(try await shown("?to=betty@example.com", over: client).count == 1)
        }
    }

    @Test func `deleting empties the inbox`() async throws {
        try await application.test(.router) { client async throws in
            _ = try await deliver(message("1"), over: client)
            #expect(try await client.execute(uri: "/api/messages", method: .delete) { $0.status.code } == 204)
            #expect(try await shown(over: client).isEmpty)
        }
    }

    @Test func `the page escapes all text, offers the code, and allows no foreign resource`() async throws {
        let nasty = "<script>alert(1)</script> & 472918 \"quoted\""
        try await application.test(.router) { client async throws in
            _ = try await deliver(
                message("<b>1", to: "<img src=x>", text: nasty, link: "javascript:alert(1)"), over: client)
            let page = try await get("/", over: client)
            #expect(page.status == 200)
            #expect(page.text.contains("&lt;script&gt;alert(1)&lt;/script&gt; &amp; "))
            #expect(page.text.contains(#"data-copy="472918""#))
            #expect(!page.text.contains("<script>alert"))
            #expect(!page.text.contains("<img"))
            #expect(!page.text.contains("javascript:alert"))
            #expect(!page.text.contains("http://") && !page.text.contains("https://"))
            let policy = try #require(page.headers[.contentSecurityPolicy])
            #expect(policy.contains("default-src 'none'"))
            #expect(policy.contains("frame-ancestors 'none'"))
            #expect(page.headers[.accessControlAllowOrigin] == nil)
        }
    }

    @Test func `a mail stands in a frame of its own that may do nothing`() async throws {
        let html = "<p>472918</p><script>alert(1)</script><img src=https://x.example/p.gif>"
        let mail = OutgoingMessage(
            channel: "email", to: "ann@example.com", subject: "472918 is <your> code", text: "t", html: html,
            code: "472918", link: "https://auth.example/l?token=x", id: "m1")
        try await application.test(.router) { client async throws in
            #expect(try await deliver(mail, over: client) == 200)
            let page = try await get("/", over: client).text
            #expect(
                page.contains(
                    #"<iframe class="mail" sandbox="allow-popups allow-popups-to-escape-sandbox" src="/messages/m1/page""#
                ))
            #expect(page.contains("472918 is &lt;your&gt; code") && page.contains(#"data-copy="472918""#))
            #expect(!page.contains("x.example"))
            let shown = try await get("/messages/m1/page", over: client)
            #expect(shown.status == 200 && shown.text == #"<base target="_blank">"# + html)
            let policy = try #require(shown.headers[.contentSecurityPolicy])
            #expect(policy.hasPrefix("sandbox \(MailPage.sandbox); default-src 'none'"))
            #expect(policy.contains("frame-ancestors 'self'") && !policy.contains("allow-scripts"))
            #expect(try await get("/messages/m2/page", over: client).status == 404)
            let json = try await get("/api/messages", over: client).text
            #expect(json.contains(#""subject":"472918 is <your> code""#) && json.contains(#""html":"#))
        }
    }

    @Test func `the list is sent again only after a change`() async throws {
        try await application.test(.router) { client async throws in
            let first = try await get("/messages", over: client)
            #expect(first.text.contains("No messages yet"))
            let version = try #require(first.text.firstMatch(of: /data-version="([^"]+)"/)).1
            #expect(try await get("/messages?version=\(version)", over: client).status == 204)
            _ = try await deliver(message("1"), over: client)
            let second = try await get("/messages?version=\(version)", over: client)
            #expect(second.status == 200)
            #expect(second.text.contains("472918"))
        }
    }

    @Test(arguments: [("/inbox.css", "text/css"), ("/inbox.js", "text/javascript")])
    func `style and script come from the inbox itself`(path: String, type: String) async throws {
        try await application.test(.router) { client async throws in
            let answer = try await get(path, over: client)
            #expect(answer.status == 200)
            #expect(answer.headers[.contentType]?.hasPrefix(type) == true)
        }
    }

    @Test(arguments: [("evil.example:8025", 421), ("127.0.0.1:8025", 200), ("inbox:8025", 200)])
    func `a page that points its own name at the inbox reads nothing`(host: String, status: Int) async throws {
        try await application.test(.live) { client async throws in
            let port = try #require(client.port)
            var request = HTTPClientRequest(url: "http://127.0.0.1:\(port)/api/messages")
            request.headers.add(name: "Host", value: host)
            let response = try await HTTPClient.shared.execute(request, timeout: TimeAmount(Patience.limit))
            _ = try await response.body.collect(upTo: 1 << 16)
            #expect(Int(response.status.code) == status)
        }
    }
}
