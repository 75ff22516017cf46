import CryptoPrimitives
import InternalAPI
import RedisClient
import TestSupport
import Testing

@testable import OTPCore

/// Redis forgets up to a second of what it has acknowledged when it crashes (AOF everysec): guesses, but not the code.
@Suite(.timeLimit(.minutes(1))) struct LostTailTests {
    @Test func `guesses that a crash forgets are not given back`() async throws {
        try await withBench(.generous) { bench async throws in
            let code = try await bench.sentCode()
            let saved = try await RedisSnapshot.take(bench.redis)
            for number in 0..<5 {
                let answer = try await bench.verify(CodeBench.wrong(code, number))
                #expect(answer.result == .wrongCode)
            }
            try await bench.server.restart()
            try await saved.restore(to: bench.redis)
            let wrong = try await bench.verify(CodeBench.wrong(code, 5)).result
            #expect(wrong == .unknown || wrong == .tooManyAttempts)
            #expect(try await bench.verify(code).result != .approved)
        }
    }

    @Test func `a code from before a crash is replaced, not sent again`() async throws {
        try await withBench(.generous) { bench async throws in
            let code = try await bench.sentCode()
            let saved = try await RedisSnapshot.take(bench.redis)
            try await bench.server.restart()
            try await saved.restore(to: bench.redis)
            let next = try await bench.sentCode()
            #expect(next != code)
            #expect(try await bench.verify(next).result == .approved)
        }
    }

    @Test func `control: a challenge that holds in every run of Redis gives guesses back`() async throws {
        try await withBench(.generous) { bench async throws in
            #expect(try await verdictAfterCrash(bench, CodeScripts(.generous)) == .unknown)
            let scripts = CodeScripts(.generous, run: "local run = '--'\n")
            #expect(try await verdictAfterCrash(bench, scripts) == .wrongCode)
        }
    }

    /// What the sixth guess at a code is, when a crash has forgotten five.
    private func verdictAfterCrash(_ bench: CodeBench, _ scripts: CodeScripts) async throws -> GuessVerdict {
        let store = RedisChallengeStore(redis: bench.redis, scripts: scripts)
        let phone = PhoneTag(bytes: SecureRandom.bytes(PhoneTag.byteCount))
        let place = try #require(ChallengePlace(.signIn, in: "native"))
        let subject = { (call: UInt8) in
            CallSubject(
                phone: phone, place: place, blockTag: [0, 0, 0, 0], isVouchedFor: false, windows: [],
                callTag: [0, 0, call], now: bench.clock.now)
        }
        let challenge = ChallengeSeed(created: bench.clock.now, salt: [0, 1])
        _ = try await store.admit(SendAttempt(subject: subject(0), challenge: challenge, proof: [0, 0, 0, 0, 1]))
        let saved = try await RedisSnapshot.take(bench.redis)
        for number in 1...5 as ClosedRange<UInt8> {
            let verdict = try await store.judge(Guess(subject: subject(number), proof: [1, 0, 0, 0, number]))
            #expect(verdict == .wrongCode)
        }
        try await bench.server.restart()
        try await saved.restore(to: bench.redis)
        return try await store.judge(Guess(subject: subject(6), proof: [1, 0, 0, 0, 6]))
    }
}

/// All that a Redis held at one moment.
private struct RedisSnapshot {
    let entries: [(key: String, value: [UInt8], lifeMilliseconds: Int64)]

    static func take(_ redis: RedisClient) async throws -> RedisSnapshot {
        var entries: [(key: String, value: [UInt8], lifeMilliseconds: Int64)] = []
        for key in try await redis.send(["KEYS", "*"]).arrayValue?.compactMap(\.text) ?? [] {
            guard case .string(let value) = try await redis.send(["DUMP", RedisArgument(key)]) else { continue }
            let life = try await redis.send(["PTTL", RedisArgument(key)]).integerValue ?? -1
            entries.append((key, value, max(life, 0)))
        }
        return RedisSnapshot(entries: entries)
    }

    /// Waits for the new server, and fills it.
    func restore(to redis: RedisClient) async throws {
        try await eventually("Redis serves again") {
            // Each connection: a lost one shows itself at its next command.
            for _ in 0..<4 {
                do { _ = try await redis.send(["PING"]) } catch { return false }
            }
            return true
        }
        for entry in entries {
            _ = try await redis.send(
                ["RESTORE", RedisArgument(entry.key), .integer(entry.lifeMilliseconds), .bytes(entry.value)])
        }
    }
}
