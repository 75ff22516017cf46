import BenchCore
import CryptoPrimitives
import Delivery
import NIOCore
import PhoneNumbers
import Testing

struct SignInLoadTests {
    @Test func `every index has a number of its own, canonical as it is`() throws {
        let numbers = (0..<50_000).map(SignInNumbers.number)
        #expect(Set(numbers).count == numbers.count)
        for number in numbers.prefix(2000) { #expect(try PhoneNumber(parsing: number).e164 == number) }
        #expect(SignInNumbers.number(SignInNumbers.countMax - 1) == "+18999999999")
        #expect(!SignInNumbers.number(-1).contains("-"))
    }

    @Test func `a genuine hook gives its code once`() throws {
        let hooks = try HookReceiver(random: SecureRandom.bytes(32))
        #expect(hooks.answer(try hook(signedWith: hooks.secret)) == ServedAnswer(status: 204))
        #expect(hooks.takeCode(for: "+12025550123") == "654321")
        #expect(hooks.takeCode(for: "+12025550123") == nil)
        #expect(hooks.refusedCount == 0)
    }

    @Test func `a hook that another secret signed, or that is malformed, is refused and counted`() throws {
        let hooks = try HookReceiver(random: SecureRandom.bytes(32))
        let other = try HookReceiver(random: SecureRandom.bytes(32))
        #expect(hooks.answer(try hook(signedWith: other.secret)).status == 400)
        #expect(hooks.answer(try hook(signedWith: hooks.secret, body: #"{"sms":{}}"#)).status == 400)
        #expect(hooks.answer(ServedRequest(path: "/sms", headers: [:], body: [])).status == 400)
        #expect(hooks.takeCode(for: "+12025550123") == nil)
        #expect(hooks.refusedCount == 3)
    }

    @Test func `a run does each piece once, and answers of our own server come back whole`() async throws {
        let server = try await LoopbackServer.start { ServedAnswer(status: 200, body: $0.body) }
        let connections = try await LoadConnection.open(3, port: server.port)
        let run = try await LoadRun.over(connections, 5..<105, within: .seconds(20)) { index, connection in
            let answer = try await connection.send(LoadRequest("POST", "/", body: Array("\(index)".utf8)))
            return String(decoding: answer.body, as: UTF8.self)
        }
        #expect(run.values.compactMap { Int($0) }.sorted() == Array(5..<105))
        for connection in connections { await connection.close() }
        await server.stop()
    }

    @Test func `answers come whole out of bytes that come in any pieces`() throws {
        let text =
            "HTTP/1.1 200 OK\r\nDate: x\r\ncontent-length: 3\r\n\r\nabcHTTP/1.1 204 No Content\r\n\r\nHTTP/1.1 404 Not Found\r\n"
            + "Content-Length:0\r\n\r\n"
        for size in [1, 2, 7, 64, 1000] {
            var reader = AnswerReader()
            var answers: [String] = []
            var rest = ByteBuffer(string: text)
            while rest.readableBytes > 0 {
                var piece = rest.readSlice(length: min(size, rest.readableBytes)) ?? ByteBuffer()
                reader.append(&piece)
                while let answer = try reader.next() {
                    answers.append("\(answer.status) \(String(decoding: answer.body, as: UTF8.self))")
                }
            }
            #expect(answers == ["200 abc", "204 ", "404 "])
        }
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "HTTP/1.1 2x0 OK\r\nContent-Length: 1\r\n\r\na",
        "HTTP/1.1 200 OK\r\nContent-Length: 1x\r\n\r\na", "HTTP/1.1 200 OK\r\nContent-Length: 9999999\r\n\r\n",
        "HTTP/1.1 100 Continue\r\n\r\n", "\r\n\r\n", "HTTP/1.1 200 OK\nContent-Length: 3\nX\n\r\n\r\n",
    ])
    func `an answer that cannot be read ends the load`(text: String) {
        var reader = AnswerReader()
        var bytes = ByteBuffer(string: text)
        reader.append(&bytes)
        #expect(throws: LoadFailure.self) { try reader.next() }
    }

    @Test func `the first piece that fails ends the run`() async throws {
        let server = try await LoopbackServer.start { _ in ServedAnswer(status: 500) }
        let connections = try await LoadConnection.open(2, port: server.port)
        await #expect(throws: LoadFailure.closed) {
            _ = try await LoadRun.over(connections, 0..<1000, within: .seconds(20)) { _, connection in
                guard try await connection.send(LoadRequest("GET", "/")).status == 200 else { throw LoadFailure.closed }
            }
        }
        for connection in connections { await connection.close() }
        await server.stop()
    }

    private func hook(
        signedWith secret: String, body: String = #"{"sms":{"otp":"654321","phone":"12025550123"}}"#
    ) throws -> ServedRequest {
        let signature = try WebhookSignature(secrets: secret)
        let header = signature.header(id: "message", timestamp: 1_700_000_000, body: Array(body.utf8))
        return ServedRequest(
            path: "/sms",
            headers: [
                "webhook-id": "message", "webhook-timestamp": "1700000000", "webhook-signature": header,
            ], body: Array(body.utf8))
    }
}
