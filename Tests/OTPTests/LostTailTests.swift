import CryptoPrimitives
import InternalAPI
import RedisClient
import TestSupport
import Testing

@testable import OTPCore

/// Redis forgets up to a second of what it has acknowledged when it crashes (AOF everysec): guesses, but not the code.
@Suite(.timeLimit(.minutes(5))) struct LostTailTests {
    @Test func `guesses that a crash forgets are not given back`() async throws {
        try await withFixture(.generous) { fixture async throws in
            let code = try await fixture.sentCode()
            let saved = try await RedisSnapshot.take(fixture.redis)
            for number in 0..<5 {
                let answer = try await fixture.verify(CodeFixture.wrong(code, number))
                #expect(answer.result == .wrongCode)
            }
            try await fixture.server.restart()
            try await saved.restore(to: fixture.redis)
            let wrong = try await fixture.verify(CodeFixture.wrong(code, 5)).result
            #expect(wrong == .unknown || wrong == .tooManyAttempts)
            #expect(try await fixture.verify(code).result != .approved)
        }
    }

    @Test func `a code from before a crash is replaced, not sent again`() async throws {
        try await withFixture(.generous) { fixture async throws in
            let code = try await fixture.sentCode()
            let saved = try await RedisSnapshot.take(fixture.redis)
            try await fixture.server.restart()
            try await saved.restore(to: fixture.redis)
            let next = try await fixture.sentCode()
            #expect(next != code)
            #expect(try await fixture.verify(next).result == .approved)
        }
    }

    @Test func `control: a challenge that holds in every run of Redis gives guesses back`() async throws {
        try await withFixture(.generous) { fixture async throws in
            let library = CodeFunctions.make(run: Array("local run, runSeconds = '--', 1\n".utf8))
            // Before there are data, which would be saved with it.
            try await fixture.server.load(library.source(loadedAt: 0))
            #expect(try await verdictAfterCrash(fixture, CodeScripts(.generous)) == .unknown)
            let scripts = CodeScripts(.generous, library: library)
            #expect(try await verdictAfterCrash(fixture, scripts) == .wrongCode)
        }
    }

    /// Returns the result of the sixth guess at a code, after a crash has lost five.
    private func verdictAfterCrash(_ fixture: CodeFixture, _ scripts: CodeScripts) async throws -> GuessVerdict {
        let store = RedisChallengeStore(redis: fixture.redis, scripts: scripts)
        let phone = RecipientTag(bytes: SecureRandom.bytes(RecipientTag.byteCount))
        let place = try #require(ChallengePlace(.signIn, in: "native"))
        let subject = { (call: UInt8) in
            CallSubject(
                recipient: phone, place: place, blockTag: [0, 0, 0, 0], isVouchedFor: false, windows: [],
                callTag: [0, 0, call], now: fixture.clock.now)
        }
        let challenge = ChallengeSeed(created: fixture.clock.now, salt: [0, 1])
        _ = try await store.admit(SendAttempt(subject: subject(0), challenge: challenge, proof: [0, 0, 0, 0, 1]))
        let saved = try await RedisSnapshot.take(fixture.redis)
        for number in 1...5 as ClosedRange<UInt8> {
            let verdict = try await store.judge(Guess(subject: subject(number), proof: [1, 0, 0, 0, number]))
            #expect(verdict == .wrongCode)
        }
        try await fixture.server.restart()
        try await saved.restore(to: fixture.redis)
        return try await store.judge(Guess(subject: subject(6), proof: [1, 0, 0, 0, 6]))
    }
}

/// All that a Redis held at one moment.
struct RedisSnapshot {
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
        try await awaitServing(redis)
        for entry in entries {
            _ = try await redis.send(
                ["RESTORE", RedisArgument(entry.key), .integer(entry.lifeMilliseconds), .bytes(entry.value)])
        }
    }
}

/// Waits until a server that was started again serves each connection: a lost one shows itself at its next command.
func awaitServing(_ redis: RedisClient) async throws {
    try await eventually("Redis serves again") {
        for _ in 0..<4 {
            do { _ = try await redis.send(["PING"]) } catch { return false }
        }
        return true
    }
}
