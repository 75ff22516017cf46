import CryptoPrimitives
import InternalAPI
import Policies
import RedisClient
import TestSupport
import Testing

@testable import OTPCore

/// I-5 of the security guide on the store itself, and the control that shows that the test can fail.
@Suite(.timeLimit(.minutes(5))) struct GuessFloodTests {
    private static let guesses = 300

    /// How many of many guesses at once the store judges.
    private func judged(_ store: any ChallengeStore, _ fixture: CodeFixture) async throws -> Int {
        let phone = RecipientTag(bytes: SecureRandom.bytes(RecipientTag.byteCount))
        let place = try #require(ChallengePlace(.signIn, in: "native"))
        let subject = { @Sendable (call: UInt8, number: Int) in
            CallSubject(
                recipient: phone, place: place, blockTag: [0, 0, 0, 0], isVouchedFor: false, windows: [],
                callTag: [call, UInt8(number / 256), UInt8(number % 256)], now: fixture.clock.now)
        }
        _ = try await store.admit(
            SendAttempt(
                subject: subject(0, 0), challenge: ChallengeSeed(created: fixture.clock.now, salt: [0, 1]),
                proof: [0, 0, 0, 0, 1]))
        let verdicts = try await concurrently(Self.guesses) { number in
            try await store.judge(
                Guess(subject: subject(1, number), proof: [1, 0, 0, UInt8(number / 256), UInt8(number % 256)]))
        }
        return verdicts.filter { $0 == .wrongCode }.count
    }

    @Test func `the store judges no more guesses than allowed`() async throws {
        try await withFixture(.generous) { fixture async throws in
            for _ in 0..<5 {
                let count = try await judged(fixture.store, fixture)
                #expect(count == 5)
            }
        }
    }

    @Test func `control: a store that looks, compares and then counts judges all that look before one counts`()
        async throws
    {
        try await withFixture(.generous) { fixture async throws in
            let store = CheckThenCountStore(redis: fixture.redis, meeting: Meeting(of: Self.guesses))
            let count = try await judged(store, fixture)
            #expect(count == Self.guesses)
        }
    }
}

/// Where tasks wait until all of them have come.
actor Meeting {
    private let count: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(of count: Int) { self.count = count }

    func join() async {
        guard waiting.count + 1 < count else {
            for continuation in waiting { continuation.resume() }
            waiting = []
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }
}

/// A wrong implementation: the count is read, the code compared, and only then is the guess counted.
private struct CheckThenCountStore: ChallengeStore {
    let redis: RedisClient
    let meeting: Meeting

    func admit(_ send: SendAttempt) async throws(ChallengeStoreFailure) -> SendVerdict {
        _ = try await run(["SET", "otp:proof", .bytes(send.proof)])
        return .send(send.challenge)
    }

    func judge(_ guess: Guess) async throws(ChallengeStoreFailure) -> GuessVerdict {
        let looked: Result<RedisValue, ChallengeStoreFailure>
        do throws(ChallengeStoreFailure) { looked = .success(try await run(["GET", "otp:tries"])) } catch {
            looked = .failure(error)
        }
        // Also who has failed is waited for.
        await meeting.join()
        guard try looked.get().integerValue ?? 0 < 5 else { return .limited(rule: .challenge, retryAfterSeconds: 1) }
        let isRight = try await run(["GET", "otp:proof"]).bytes == guess.proof
        _ = try await run(["INCR", "otp:tries"])
        return isRight ? .used : .wrongCode
    }

    func settle(
        _ guess: Guess, of challenge: ChallengeSeed, as word: ProviderWord
    ) async throws(ChallengeStoreFailure) -> GuessVerdict { .undecided }

    func admitVerified(_ subject: CallSubject) async throws(ChallengeStoreFailure) -> AdmissionVerdict { .admitted }

    func charge(_ send: SendAttempt) async throws(ChallengeStoreFailure) -> TryVerdict { .charged([]) }

    func noteOutcome(
        of send: SendAttempt, _ outcome: SendOutcome, bad: Set<PhoneChannel>
    ) async throws(ChallengeStoreFailure) {}

    func noteUndelivered(
        _ recipient: RecipientTag, by channel: PhoneChannel, now: Int64
    ) async throws(ChallengeStoreFailure) {}

    func clear(_ recipient: RecipientTag, now: Int64) async throws(ChallengeStoreFailure) -> Bool { false }

    func unlock(_ recipient: RecipientTag, now: Int64) async throws(ChallengeStoreFailure) -> Bool { false }

    func forgetNetworks(
        of recipient: RecipientTag, until: Int64, codesUntil: Int64?, now: Int64
    ) async throws(ChallengeStoreFailure) {}

    private func run(_ command: [RedisArgument]) async throws(ChallengeStoreFailure) -> RedisValue {
        do throws(RedisError) { return try await redis.send(command) } catch {
            throw ChallengeStoreFailure("\(error.message)")
        }
    }
}
