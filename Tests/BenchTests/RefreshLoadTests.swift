import AccessTokens
import CryptoPrimitives
import FoundationEssentials
import InternalAPI
import Logging
import Policies
import Synchronization
import TestSupport
import Testing
import TokenCore
import TokenTables

@testable import BenchCore

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

    @Test(arguments: [RefreshCall.native] + RefreshCall.others.filter { !$0.isByCookie })
    func `a client uses each token once, as the dialect spells it, and goes on with its successor`(
        call: RefreshCall
    ) async throws {
        let seen = Mutex<[String]>([])
        try await LoopbackServer.run { request in
            let bearer = request.headers["authorization"]?.dropFirst("Bearer ".count)
            let found = bearer.map { Array($0.utf8) } ?? JSONText.string(call.member, in: request.body) ?? []
            let token = String(decoding: found, as: UTF8.self)
            seen.withLock { $0.append(token) }
            let answer = "{\"\(call.member)\":\"\(token)'\"}"
            return ServedAnswer(status: request.path == call.path ? 200 : 404, body: Array(answer.utf8))
        } _: { server in
            try await client(of: ["a", "b", "c"], call, server) { client in
                for _ in 0..<9 { _ = try await client.refresh() }
            }
        }
        #expect(seen.withLock { $0.sorted() } == ["a", "a'", "a''", "b", "b'", "b''", "c", "c'", "c''"])
    }

    @Test(arguments: [RefreshCall.native, .aarokya], [["a"], []])
    func `an answer without a new token, in the words of another dialect, and no session end the load`(
        call: RefreshCall, tokens: [String]
    ) async throws {
        try await LoopbackServer.run { _ in
            ServedAnswer(status: 200, body: Array(#"{"refreshToken":"a"}"#.utf8))
        } _: { server in
            try await client(of: tokens, call, server) { client in
                await #expect(throws: UnexpectedReply.self) { try await client.refresh() }
            }
        }
    }

    @Test func `a few refreshes over a real stack bring every figure`() async throws {
        let bench = TokensBench(
            algorithm: .HS256, rounds: 1, rotationCount: 100, connectionCount: 4, manyCount: TokensBench.fewCount + 500)
        var figures: [Figure] = []
        try await bench.run { figures += $0 }
        #expect(Set(figures.map(\.name)).count == figures.count)
        for name in ["few.rate", "few.cpu.total", "few.p99", "many.rate", "ratio.cpu.total", "file.session"] {
            #expect(figures.value("tokens.HS256.\(name)") > 0, "\(name)")
        }
        // Every session has its rows, and about what it is allowed: half of a small file's pages may be half full.
        #expect((200...TokensBench.boundBytes * 1.5).contains(figures.value("tokens.HS256.file.session")))
    }

    @Test(arguments: RefreshCall.others)
    func `a few refreshes through both dialects bring every figure`(call: RefreshCall) async throws {
        let figures = try await DialectsBench(call: call, pairCount: 1, rotationCount: 200, connectionCount: 4).run()
        #expect(Set(figures.map(\.name)).count == figures.count)
        for name in ["native.rate", "rate", "p50", "ratio.rate", "ratio.p50"] {
            #expect(figures.value("dialects.\(call.name).\(name)") > 0, "\(name)")
        }
        #expect(figures.filter { $0.bound != nil }.map(\.name) == ["dialects.\(call.name).ratio.cpu.total"])
    }

    @Test func `each grant opens one session, once, in a dialect that the policy has`() async throws {
        try await ScratchFolder.run("supply") { folder in
            let policy = try RefreshPolicy(.ES256, in: folder).policy
            let storage = try TokenDatabase.open(
                path: folder + "/tokens.sqlite", policy: policy, logger: Logger(label: "test"))
            let supply = SessionSupply(
                store: storage.sessions, policy: policy,
                storageRing: try KeyRing(parsing: "k1 \(Hex.encode(SecureRandom.bytes(32)))"))
            let now: Int64 = 1_700_000_000
            let grants = (0..<4).map { number in
                Grant(
                    id: "grant-\(number)", userID: "usr_0190a1b2c3d4e5f60718293a4b5c6d7e", epoch: 0,
                    claims: UserClaims(phone: "+15550104477", role: "user", version: 3), method: "sms",
                    isNewUser: false, expiresAt: now + 60)
            }
            let request = IssueRequest(grant: "", dialect: "native", userAgent: "HowRU/1.0 (iPhone)")
            let first = Array(grants.prefix(3))
            #expect(Set(try await supply.open(first, as: request, now: now)).count == 3)
            for (grants, dialect) in [(first, "native"), (grants.suffix(1), "unknown")] {
                await #expect(throws: SessionSupply.NotOpened.self) {
                    try await supply.open(grants, as: IssueRequest(grant: "", dialect: dialect), now: now)
                }
            }
        }
    }

    private func client(
        of tokens: [String], _ call: RefreshCall, _ server: LoopbackServer, _ body: (RefreshClient) async throws -> Void
    ) async throws {
        let client = RefreshClient(
            connection: try await .open(port: server.port), tokens.map { RefreshableSession(token: $0) }, call: call)
        try await finally {
            try await body(client)
        } end: {
            await client.close()
        }
    }
}
