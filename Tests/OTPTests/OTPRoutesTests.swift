import CryptoPrimitives
import Delivery
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import InternalAPI
import NIOCore
import RedisClient
import ServiceCalls
import ServiceHTTP
import ServiceKit
import TestSupport
import Testing

@testable import OTPCore

@Suite(.timeLimit(.minutes(5))) struct OTPRoutesTests {
    private let keys: KeyRing

    init() throws { keys = try KeyRing(parsing: "k1 \(Hex.encode(SecureRandom.bytes(32)))") }

    private func post(
        _ path: String, _ body: [UInt8], as caller: Caller = .gateway, to fixture: CodeFixture
    ) async throws -> (status: Int, body: [UInt8], retryAfter: String?) {
        let calls = OwnCalls(to: "otp", keys: [caller: keys])
        let router = serviceRouter(verifier: calls.verifier) { fixture.wiring.add(to: &$0) }
        let field = try #require(HTTPField.Name(AssertionSigner.header))
        let assertion = calls.sign(
            AssertedRequest(method: "POST", path: path, body: body), as: caller, keys: keys
        ).text
        return try await Application(router: router).test(.router) { client in
            try await client.execute(
                uri: path, method: .post, headers: [field: assertion], body: ByteBuffer(bytes: body)
            ) { ($0.status.code, Array($0.body.readableBytesView), $0.headers[.retryAfter]) }
        }
    }

    private func request(call: String = "1", address: String = "198.51.100.7") throws -> [UInt8] {
        Array(
            try JSONEncoder().encode(
                OTPRequest(
                    phone: CodeFixture.phone, region: nil, purpose: .signIn, address: address, callID: call)))
    }

    @Test func `a code is requested and verified over HTTP`() async throws {
        try await withFixture(.howru) { fixture async throws in
            let sent = try await post(OTPOperations.request.path, try request(), to: fixture)
            #expect(sent.status == 200)
            #expect(try JSONDecoder().decode(OTPRequestAnswer.self, from: Data(sent.body)).result == .sent)
            let verify = OTPVerify(
                phone: CodeFixture.phone, region: nil, code: fixture.sender.messages.last?.content.code ?? "",
                purpose: .signIn,
                address: "198.51.100.7", callID: "2")
            let answer = try await post(OTPOperations.verify.path, Array(try JSONEncoder().encode(verify)), to: fixture)
            #expect(answer.status == 200)
            #expect(try JSONDecoder().decode(OTPVerifyAnswer.self, from: Data(answer.body)).result == .approved)
        }
    }

    @Test func `the recipients that a notice reaches are told, without an address whose mail bounced`() async throws {
        try await withFixture { fixture async throws in
            func reached() async throws -> [String] {
                let all = NoticeRecipients(to: ["ann@example.com", CodeFixture.phone, "x", "no@"])
                let answer = try await post(
                    OTPOperations.noticeRecipients.path, Array(try JSONEncoder().encode(all)), as: .user, to: fixture)
                return try JSONDecoder().decode(NoticeRecipients.self, from: Data(answer.body)).to
            }
            #expect(try await reached() == ["ann@example.com", CodeFixture.phone])
            let blocks = try #require(fixture.wiring.notices).send.blocks
            try await blocks.note(.bounced, of: CodeFixture.start, to: try fixture.tag(of: "ann@example.com"))
            #expect(try await reached() == [CodeFixture.phone])
        }
    }

    @Test func `a call that does not keep to the contract is 400`() async throws {
        try await withFixture { fixture async throws in
            #expect(try await post(OTPOperations.request.path, Array("{}".utf8), to: fixture).status == 400)
            #expect(try await post(OTPOperations.verify.path, Array("[]".utf8), to: fixture).status == 400)
            #expect(
                try await post(OTPOperations.request.path, try request(address: "nowhere"), to: fixture).status == 400)
            #expect(fixture.sender.messages.isEmpty)
        }
    }

    @Test func `a refused request names the member that it is refused for`() async throws {
        try await withFixture { fixture async throws in
            let verify = OTPVerify(
                phone: CodeFixture.phone, region: nil, code: "12", purpose: .signIn, address: "198.51.100.7",
                callID: "2")
            let answer = try await post(OTPOperations.verify.path, Array(try JSONEncoder().encode(verify)), to: fixture)
            #expect(answer.status == 400)
            #expect(String(decoding: answer.body, as: UTF8.self).contains(#""member":"code""#))
        }
    }

    @Test func `without Redis nothing is sent and the answer is 503 with Retry-After`() async throws {
        try await withFixture(.howru) { fixture async throws in
            try await fixture.server.kill()
            for path in [OTPOperations.request.path, OTPOperations.verify.path] {
                let verify = OTPVerify(
                    phone: CodeFixture.phone, region: nil, code: "123456", purpose: .signIn, address: "198.51.100.7",
                    callID: "2")
                let body = path == OTPOperations.request.path ? try request() : Array(try JSONEncoder().encode(verify))
                let answer = try await post(path, body, to: fixture)
                #expect(answer.status == 503)
                #expect(answer.retryAfter == "1")
            }
            #expect(fixture.sender.messages.isEmpty)
            try await fixture.server.launch()
            #expect(try await post(OTPOperations.request.path, try request(), to: fixture).status == 200)
            #expect(fixture.sender.messages.count == 1)
        }
    }

    @Test func `an error reply of Redis is 503 too, never a fresh counter`() async throws {
        try await withFixture(.howru) { fixture async throws in
            try await fixture.request()
            for key in try #require(try await fixture.redis.send(["KEYS", "otp:2:n:*"]).arrayValue).compactMap(\.text) {
                _ = try await fixture.redis.send(["SET", RedisArgument(key), "not a hash"])
            }
            #expect(try await post(OTPOperations.request.path, try request(), to: fixture).status == 503)
            #expect(fixture.sender.messages.count == 1)
        }
    }

    /// Waits until each connection of the client is one to the new server: a lost one shows itself at its next command.
    private func reconnected(_ redis: RedisClient) async throws {
        try await eventually("Redis answers on every connection") {
            for _ in 0..<4 {
                do { _ = try await redis.send(["PING"]) } catch { return false }
            }
            return true
        }
    }

    @Test func `a restart of Redis gives no attempt back`() async throws {
        try await withFixture(.generous, configuration: ["appendonly yes", "appendfsync always"]) {
            fixture async throws in
            let code = try await fixture.sentCode()
            for number in 0..<3 { _ = try await fixture.verify(CodeFixture.wrong(code, number)) }
            try await fixture.server.restart()
            try await reconnected(fixture.redis)
            // A code lives in the run of Redis that counts its guesses; the next one is another code.
            let wrong = try await fixture.verify(CodeFixture.wrong(code, 3))
            #expect(wrong.result == .unknown)
            let right = try await fixture.verify(code)
            #expect(right.result == .unknown)
            let next = try await fixture.verify(try await fixture.sentCode())
            #expect(next.result == .approved)
        }
    }
}
