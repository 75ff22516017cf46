import FoundationEssentials
import Testing

@testable import BenchCore

struct DialectsBenchTests {
    @Test(arguments: [RefreshCall.native] + RefreshCall.others.filter { !$0.isByCookie })
    func `a client refreshes as the dialect spells it`(call: RefreshCall) async throws {
        let server = try await LoopbackServer.start { request in
            let bearer = request.headers["authorization"]?.dropFirst("Bearer ".count)
            let token = bearer.map { Array($0.utf8) } ?? JSONText.string(call.member, in: request.body) ?? []
            let answer = "{\"\(call.member)\":\"\(String(decoding: token, as: UTF8.self))'\"}"
            return ServedAnswer(status: request.path == call.path ? 200 : 404, body: Array(answer.utf8))
        }
        let client = RefreshClient(connection: try await LoadConnection.open(port: server.port), call: call)
        client.take([RefreshableSession(token: "a")])
        for _ in 0..<3 { _ = try await client.refresh() }
        await client.close()
        await server.stop()
    }

    @Test func `an answer in the words of another dialect ends the load`() async throws {
        let server = try await LoopbackServer.start { _ in
            ServedAnswer(status: 200, body: Array(#"{"refreshToken":"b"}"#.utf8))
        }
        let client = RefreshClient(connection: try await LoadConnection.open(port: server.port), call: .aarokya)
        client.take([RefreshableSession(token: "a")])
        await #expect(throws: UnexpectedReply.self) { try await client.refresh() }
        await client.close()
        await server.stop()
    }

    @Test func `the two profiles differ in name only`() throws {
        let howru = try String(contentsOfFile: Build.own.policies + "/howru.yaml", encoding: .utf8)
        let text = try RefreshPolicyFile.adding(dialect: "other", to: howru)
        #expect(text.contains("dialects:") && text.contains("  - name: other\n    profile: other\n"))
        let (mobile, other) = (lines(under: "  mobile:", of: text), lines(under: "  other:", of: text))
        #expect(mobile == other && mobile.contains { $0.contains("algorithm: RS256") })
        #expect(lines(under: "  mobile:", of: howru) == mobile)
        #expect(throws: RefreshPolicyFile.Outdated.self) { try RefreshPolicyFile.adding(dialect: "other", to: "a: b") }
    }

    /// Returns a profile's lines: the more indented lines after `heading`.
    private func lines(under heading: String, of text: String) -> [Substring] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return Array(lines.drop { $0 != heading }.dropFirst().prefix { $0.hasPrefix("    ") })
    }

    private func round(
        gateway: Double, token: Double, perSecond: Double = 1000, milliseconds: Double = 5
    ) -> RefreshRound {
        RefreshRound(
            perSecond: perSecond, milliseconds: [milliseconds],
            microseconds: ["gateway": gateway, "token": token, "redis": 500], ownMicroseconds: 0, othersCores: 0)
    }

    @Test func `gateway and token-service are compared pair by pair, and the lower quartile is judged`() throws {
        let native = (1...8).map { round(gateway: 40 * Double($0), token: 60 * Double($0)) }
        func ratios(_ factors: [Double]) -> [String: Figure] {
            let other = zip(native, factors).map { native, factor in
                round(
                    gateway: native.total(["gateway"]) + native.total(["gateway", "token"]) * (factor - 1),
                    token: native.total(["token"]), perSecond: 500, milliseconds: 10)
            }
            let figures = DialectsBench.figures(Pairs(ours: other, theirs: native), of: .aarokya)
            return Dictionary(figures.map { ($0.name, $0) }) { first, _ in first }
        }
        let noisy = ratios([1, 1, 1.02, 1.3, 1.3, 1.4, 1.5, 2])
        #expect(noisy["dialects.aarokya.ratio.cpu.total"]?.meetsBound == true)
        #expect(noisy["dialects.aarokya.ratio.rate"]?.value == 2)
        #expect(noisy["dialects.aarokya.ratio.p50"]?.value == 2)
        #expect(noisy["dialects.aarokya.native.cpu.total"]?.value == 450)
        #expect(noisy["dialects.aarokya.cpu.token"]?.value == 270)
        let lost = ratios(Array(repeating: 1.09, count: 8))
        #expect(lost["dialects.aarokya.ratio.cpu.total"]?.meetsBound == false)
        #expect(lost["dialects.aarokya.ratio.cpu.total"]?.bound == .atMost(1.08))
        #expect(lost.values.count { $0.bound != nil } == 1)
    }

    @Test(arguments: RefreshCall.others)
    func `a few refreshes through both dialects bring every figure`(call: RefreshCall) async throws {
        let bench = DialectsBench(of: call, pairs: 1, rotationCount: 200, connectionCount: 4)
        let figures = try await bench.run()
        let byName = Dictionary(figures.map { ($0.name, $0.value) }) { first, _ in first }
        #expect(byName.count == figures.count)
        for name in ["native.rate", "rate", "p50", "ratio.rate", "ratio.p50"] {
            #expect((byName["dialects.\(call.name).\(name)"] ?? 0) > 0, "\(name)")
        }
    }
}
