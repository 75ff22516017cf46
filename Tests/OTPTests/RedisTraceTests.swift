import InternalAPI
import RedisClient
import TestSupport
import Testing

@testable import OTPCore

@Suite(.timeLimit(.minutes(5))) struct RedisTraceTests {
    @Test func `neither codes nor numbers reach Redis, not even as arguments`() async throws {
        let configuration = [
            "appendonly yes", "rdbcompression no", "slowlog-log-slower-than 0", "slowlog-max-len 10000",
        ]
        try await withFixture(.howru, configuration: configuration) { fixture async throws in
            let code = try await fixture.sentCode()
            _ = try await fixture.verify(CodeFixture.wrong(code))
            _ = try await fixture.verify(code)
            _ = try await fixture.verify(code, phone: "+15551234568")
            _ = try await fixture.redis.send(["SAVE"])
            let arguments = try await fixture.redis.send(["SLOWLOG", "GET", "-1"])
            let traces = try Trace.files(in: fixture.server.directory) + [Trace("arguments", "\(texts(arguments))")]
            #expect(traces.contains { $0.name.hasSuffix(".rdb") && $0.holds("otp:2:n:") })
            #expect(traces.contains { $0.name.hasSuffix(".incr.aof") && $0.holds("otp:2:n:") })
            let secret = [Canary(code), Canary(CodeFixture.wrong(code)), Canary("198.51.100.7")]
            for canary in secret + Canary.number(CodeFixture.phone) {
                for trace in traces { #expect(!canary.stands(in: trace.bytes), "\(canary) is in \(trace.name)") }
            }
        }
    }

    @Test func `every key lies in the service's own names and ends by itself`() async throws {
        try await withFixture(.howru) { fixture async throws in
            let code = try await fixture.sentCode()
            _ = try await fixture.verify(CodeFixture.wrong(code))
            let keys = try #require(try await fixture.redis.send(["KEYS", "*"]).arrayValue).compactMap(\.text)
            // The number, the run, counters of sends by address, prefix, country and in total, and of guesses by address.
            #expect(keys.count == 8)
            for key in keys where key != "audit:otp" {
                #expect(key.hasPrefix("otp:"))
                let ttl = try #require(try await fixture.redis.send(["TTL", RedisArgument(key)]).integerValue)
                #expect(ttl > 0)
            }
        }
    }

    @Test func `acts are in the audit one by one, refusals by the minute`() async throws {
        try await withFixture(.howru) { fixture async throws in
            let code = try await fixture.sentCode()
            for number in 0..<5 { _ = try await fixture.verify(CodeFixture.wrong(code, number)) }
            for _ in 0..<7 { _ = try await fixture.verify(code) }
            let events = ["otp.sent"] + Array(repeating: "otp.wrong_code", count: 5) + ["otp.locked"]
            #expect(try await audit(fixture).map { $0["event"] } == events)
            #expect(try await audit(fixture).last?["detail"] == "stranger 3600")
            fixture.clock.advance(60)
            _ = try await fixture.verify(code)
            let last = try #require(try await audit(fixture).last)
            #expect(last["event"] == "otp.refused")
            #expect(last["detail"] == "verify lockout stranger 7")
            #expect(last["at"] == "\(CodeFixture.start)")
        }
    }

    @Test func `while nobody moves the audit, nothing is sent or judged once it is full`() async throws {
        try await withFixture(.howru) { fixture async throws in
            let code = try await fixture.sentCode()
            let script = "for i = 1, tonumber(ARGV[1]) do redis.call('XADD', KEYS[1], '*', 'event', 'x') end"
            _ = try await fixture.redis.send(
                ["EVAL", .text(script), 1, .text(OTPAuditStream.key), RedisArgument(OTPAuditStream.entriesMax)])
            await #expect(throws: ChallengeStoreFailure.self) { try await fixture.request() }
            await #expect(throws: ChallengeStoreFailure.self) { try await fixture.verify(code) }
            _ = try await fixture.redis.send(["DEL", .text(OTPAuditStream.key)])
            #expect(try await fixture.verify(code).result == .approved)
        }
    }

    private func audit(_ fixture: CodeFixture) async throws -> [[String: String]] {
        let entries = try #require(try await fixture.redis.send(["XRANGE", "audit:otp", "-", "+"]).arrayValue)
        return entries.map { entry in
            let fields = (entry.arrayValue?.last?.arrayValue ?? []).map { $0.text ?? "" }
            return Dictionary(
                uniqueKeysWithValues: stride(from: 0, to: fields.count - 1, by: 2).map { (fields[$0], fields[$0 + 1]) })
        }
    }

    private func texts(_ value: RedisValue) -> [String] {
        switch value {
        case .array(let values): values.flatMap(texts)
        case .string(let bytes): [String(decoding: bytes, as: UTF8.self)]
        default: []
        }
    }
}
