import AccessTokens
import BenchCore
import Synchronization
import Testing

struct RefreshLoadTests {
    @Test(arguments: [
        (#"{"accessToken":"a","refreshToken":"rt_1","expiresIn":1}"#, "rt_1"),
        (#"{"tokens":{"refreshToken":""}}"#, ""),
        (#"{"Token":"a","refreshTokens":"b"}"#, nil), (#"{"refreshToken":"never ends"#, nil),
        (#"{"refreshToken":7}"#, nil), ("", nil),
    ]) func `a text member is found without reading the rest`(json: String, value: String?) {
        let found = JSONText.string("refreshToken", in: Array(json.utf8))
        #expect(found.map { String(decoding: $0, as: UTF8.self) } == value)
    }

    @Test func `a client spends each token once and goes on with its successor`() async throws {
        let seen = SeenTokens()
        let server = try await LoopbackServer.start { seen.answer($0) }
        let client = RefreshClient(connection: try await LoadConnection.open(port: server.port))
        client.take([RefreshableSession(token: "a"), RefreshableSession(token: "b"), RefreshableSession(token: "c")])
        for _ in 0..<9 { _ = try await client.refresh() }
        #expect(seen.tokens.sorted() == ["a", "a'", "a''", "b", "b'", "b''", "c", "c'", "c''"])
        await client.close()
        await server.stop()
    }

    @Test func `an answer without a new token ends the load`() async throws {
        let server = try await LoopbackServer.start { request in
            // The very token that came.
            ServedAnswer(status: 200, body: request.body)
        }
        let client = RefreshClient(connection: try await LoadConnection.open(port: server.port))
        await #expect(throws: UnexpectedReply.self) { try await client.refresh() }
        client.take([RefreshableSession(token: "a")])
        await #expect(throws: UnexpectedReply.self) { try await client.refresh() }
        await client.close()
        await server.stop()
    }

    @Test func `a few refreshes over a real stack bring every figure`() async throws {
        let bench = TokensBench(
            algorithm: .HS256, rounds: 1, rotationCount: 100, connectionCount: 4, manyCount: TokensBench.fewCount + 500)
        var figures: [Figure] = []
        try await bench.run { figures += $0 }
        let byName = Dictionary(figures.map { ($0.name, $0.value) }) { first, _ in first }
        #expect(byName.count == figures.count)
        for name in ["few.rate", "few.cpu.total", "few.p99", "many.rate", "ratio.cpu.total", "file.session"] {
            #expect((byName["tokens.HS256.\(name)"] ?? 0) > 0, "\(name)")
        }
        // Every session has its rows, and about what it is allowed: half of a small file's pages may be half full.
        #expect((200...TokensBench.boundBytes * 1.5).contains(byName["tokens.HS256.file.session"] ?? 0))
    }
}

/// Answers each token with itself and a stroke.
private final class SeenTokens: Sendable {
    private let seen = Mutex<[String]>([])

    var tokens: [String] { seen.withLock { $0 } }

    func answer(_ request: ServedRequest) -> ServedAnswer {
        guard let token = JSONText.string("refreshToken", in: request.body) else { return ServedAnswer(status: 400) }
        seen.withLock { $0.append(String(decoding: token, as: UTF8.self)) }
        return ServedAnswer(status: 200, body: Array(#"{"refreshToken":""#.utf8) + token + Array(#"'"}"#.utf8))
    }
}
