import Delivery
import InternalAPI
import Policies
import RedisClient
import TestSupport
import Testing

@testable import OTPCore

@Suite(.timeLimit(.minutes(60))) struct FullRedisTests {
    @Test func `a nearly full Redis takes no new challenge, but guesses and revocations`() async throws {
        try await withFixture(.howru, configuration: ["maxmemory 40mb"]) { fixture async throws in
            let code = try await fixture.sentCode()
            await fixture.memory.look()
            #expect(!fixture.memory.isNearlyFull)
            try await fill(fixture, megabytes: 33)
            await fixture.memory.look()
            let failure = await #expect(throws: ChallengeStoreFailure.self) {
                try await fixture.request("+15551234568")
            }
            #expect(failure?.retryAfterSeconds == 60)
            #expect(fixture.sender.messages.count == 1)
            #expect(try await fixture.verify(code).result == .approved)
            for number in 0..<1_000 {
                let key = RedisArgument(RevocationFeed.session("s\(number)"))
                #expect(try await fixture.redis.send(["SET", key, "logout", "EX", 3_600]).text == "OK")
            }
            _ = try await fixture.redis.send(["DEL", "filler"])
            await fixture.memory.look()
            #expect(try await fixture.request("+15551234568").result == .sent)
        }
    }

    @Test func `a Redis that is quite full makes no code right and forgets no guess`() async throws {
        try await withFixture(.howru, configuration: ["maxmemory 16mb"]) { fixture async throws in
            let code = try await fixture.sentCode()
            try await fill(fixture, megabytes: 8)
            _ = try await fixture.redis.send(["CONFIG", "SET", "maxmemory", "4mb"])
            await #expect(throws: ChallengeStoreFailure.self) { try await fixture.verify(code) }
            await #expect(throws: ChallengeStoreFailure.self) { try await fixture.verify(CodeFixture.wrong(code)) }
            _ = try await fixture.redis.send(["DEL", "filler"])
            #expect(try await fixture.verify(code).result == .approved)
        }
    }

    @Test func `a full Redis is swept, forgets networks and tells what holds back a mail`() async throws {
        try await withFixture(.howru) { fixture async throws in
            let code = try await fixture.sentCode()
            #expect(try await fixture.verify(code).result == .approved)
            _ = try await fixture.redis.send(["CONFIG", "SET", "maxmemory", "1"])
            await #expect(throws: ChallengeStoreFailure.self) { try await fixture.request("+15551234568") }
            let (tag, blocks) = (
                fixture.tag(ofPhone: CodeFixture.phone), AddressBlocks(redis: fixture.redis, now: { 0 })
            )
            #expect(try await !blocks.isBlocked(tag))
            #expect(try await blocks.standing(of: tag).block == nil)
            #expect(try await fixture.store.openReviews(and: nil, now: fixture.clock.now).all.isEmpty)
            #expect(try await !fixture.store.clear(tag, now: fixture.clock.now))
            let bucket = RedisArgument(RedisKeys.bucket(tag.bucket))
            let before = try await fixture.redis.send(["HGET", bucket, .bytes(tag.field)]).bytes ?? []
            try await fixture.store.forgetNetworks(
                of: tag, until: fixture.clock.now, codesUntil: nil, now: fixture.clock.now)
            let after = try await fixture.redis.send(["HGET", bucket, .bytes(tag.field)]).bytes ?? []
            #expect(!after.isEmpty && after.count < before.count)
            try await fixture.store.sweep(bucket: tag.bucket, now: fixture.clock.now + 100 * 86_400)
            #expect(try await fixture.redis.send(["EXISTS", bucket]).integerValue == 0)
        }
    }

    /// The memory that Redis may use, of 128 MB, before no new challenge is accepted.
    private static let roomBytes: Int64 = 128 * 1_024 * 1_024 / 100 * RedisMemoryWatch.nearlyFullPercent

    @Test func `an eighth of a million numbers and addresses take less than an eighth of what 128 MB have room for`()
        async throws
    {
        try await withFixture(.spendthrift, email: .spendthrift, configuration: ["maxmemory 128mb"]) {
            fixture async throws in
            let empty = try await usedMemory(fixture)
            for number in 0..<8 { try await signIn(fixture, number) }
            let filler = """
                local values = {}
                for _, key in ipairs(KEYS) do
                  for _, value in ipairs(redis.call('HVALS', key)) do values[#values + 1] = value end
                end
                for number = ARGV[1], ARGV[1] + 4999 do
                  -- As tags of numbers: spread evenly, a bucket (of an eighth of all) and five bytes.
                  local digest = redis.sha1hex(number)
                  local bucket = tonumber(string.sub(digest, 1, 4), 16) % \(RecipientTag.bucketCount / 8)
                  local field = string.gsub(string.sub(digest, 5, 14), '..', function(byte)
                    return string.char(tonumber(byte, 16))
                  end)
                  redis.call('HSET', string.format('otp:2:n:%x', bucket), field, values[number % #values + 1])
                  redis.call('EXPIRE', string.format('otp:2:n:%x', bucket), 7776000)
                end
                """
            let found = try await fixture.redis.send(["KEYS", "otp:2:n:*"]).arrayValue ?? []
            let keys = found.compactMap(\.text).map { RedisArgument.text($0) }
            for start in stride(from: 0, to: 125_000, by: 5_000) {
                _ = try await fixture.redis.send(
                    ["EVAL", .text(filler), RedisArgument(keys.count)] + keys + [RedisArgument(start)])
            }
            let used = try await usedMemory(fixture) - empty
            print("otp.memory: an eighth of a million numbers and addresses in \(used) bytes")
            #expect(used > 4_000_000)
            #expect(used * 8 + empty < Self.roomBytes, "\(used)")
        }
    }

    /// Fills Redis by the service's own calls, which takes some minutes.
    @Test(.enabled(if: LongRun.isOn))
    func `a million numbers and addresses that ask and sign in fit into 128 MB with a fifth to spare`() async throws {
        try await withFixture(.spendthrift, email: .spendthrift, configuration: ["maxmemory 128mb"]) {
            fixture async throws in
            let (count, lanes) = (1_000_000, 64)
            _ = try await concurrently(lanes) { lane in
                for number in stride(from: lane, to: count, by: lanes) { try await signIn(fixture, number) }
            }
            let used = try await usedMemory(fixture)
            print("otp.memory: \(count) numbers and addresses signed in, \(used) bytes of Redis in use")
            #expect(used < Self.roomBytes, "\(used)")
            let key = RedisArgument(RevocationFeed.session("s"))
            #expect(try await fixture.redis.send(["SET", key, "logout", "EX", 3_600]).text == "OK")
        }
    }

    /// Asks once and signs in once, each other time by mail, as if the audit were moved at once.
    private func signIn(_ fixture: CodeFixture, _ number: Int) async throws {
        if !number.isMultiple(of: 2) {
            let address = "user\(number)@example.com"
            #expect(try await fixture.requestMail(address).result == .sent)
            let code = fixture.mailSender.takeMessage(to: address)?.content.code ?? ""
            #expect(try await fixture.verifyMail(code: code, email: address).result == .approved)
            return
        }
        let phone = "+1555\(1_000_000 + number)"
        #expect(try await fixture.request(phone).result == .suppressed)
        #expect(try await fixture.verify("123456", phone: phone).result == .approved)
        if number.isMultiple(of: 1_000) { _ = try await fixture.redis.send(["DEL", .text(OTPAuditStream.key)]) }
    }

    private func usedMemory(_ fixture: CodeFixture) async throws -> Int64 {
        _ = try await fixture.redis.send(["DEL", .text(OTPAuditStream.key)])
        let info = try await fixture.redis.send(["INFO", "memory"]).text ?? ""
        let line = info.split(whereSeparator: \.isNewline).first { $0.hasPrefix("used_memory:") } ?? ""
        return try #require(Int64(line.dropFirst("used_memory:".count)))
    }

    private func fill(_ fixture: CodeFixture, megabytes: Int) async throws {
        let block = RedisArgument([UInt8](repeating: 1, count: 1_000_000))
        for number in 0..<megabytes {
            _ = try await fixture.redis.send(["HSET", "filler", RedisArgument(number), block])
        }
    }
}

extension OTPPolicy {
    /// The howru policy without limits over many numbers and with a fixed code.
    fileprivate static var spendthrift: OTPPolicy {
        var policy = OTPPolicy.howru
        policy.fixedCode = FixedCode(code: "123456", environments: [.uat])
        (policy.sendsPerAddress, policy.attemptsPerAddress) = ([], [])
        (policy.sendsPerPrefix, policy.sendsPerCountry, policy.sendsInTotal) = ([], [], [])
        return policy
    }
}

extension EmailPolicy {
    /// Without limits over many addresses.
    fileprivate static var spendthrift: EmailPolicy {
        var policy = EmailPolicy()
        (policy.codes.sendsPerAddress, policy.codes.attemptsPerAddress, policy.codes.sendsInTotal) = ([], [], [])
        return policy
    }
}
