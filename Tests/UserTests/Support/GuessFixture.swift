import CryptoPrimitives
import EmailAddresses
import Logging
import Policies
import RedisClient
import TestSupport

@testable import UserCore

/// The limits of guesses over a Redis of their own.
struct GuessFixture: Sendable {
    let server: RedisServer
    let redis: RedisClient
    let limits: GuessLimits
    /// Whether Redis has room for new counters.
    let isFull = Flag()
    let clock = TestClock()

    init(_ server: RedisServer, _ redis: RedisClient, _ policy: PasswordPolicy, limitsLocalAddresses: Bool) throws {
        (self.server, self.redis) = (server, redis)
        limits = GuessLimits(
            redis: redis, scripts: GuessScripts(policy.attempts), policy: policy,
            tags: GuessTags(ring: try UserFixture.ring()), limitsLocalAddresses: limitsLocalAddresses,
            hasRoom: { [isFull] in !isFull.isSet })
    }

    func guess(
        _ account: String = "ann@example.com", from client: String? = "198.51.100.7", isBearer: Bool = false
    ) -> PasswordGuess {
        PasswordGuess(
            account: account, client: client.flatMap(IPAddress.init), isBearer: isBearer, now: clock.seconds)
    }

    func mail(
        _ account: String = "ann@example.com", _ purpose: AccountMail.Purpose = .reset, password: String? = nil,
        from client: String? = "198.51.100.7", call: CallTag = CallTag(bytes: SecureRandom.bytes(CallTag.byteCount))
    ) throws -> AccountMail {
        AccountMail(
            purpose: purpose, address: try EmailAddress(parsing: account), password: password,
            client: client.flatMap(IPAddress.init), call: call, now: clock.seconds)
    }

    /// Whether a mail may be written.
    func mails(
        _ account: String = "ann@example.com", _ purpose: AccountMail.Purpose = .reset, password: String? = nil,
        from client: String? = "198.51.100.7"
    ) async throws -> Bool {
        if case .admitted = try await limits.admit(mail(account, purpose, password: password, from: client)) {
            return true
        }
        return false
    }

    /// One that turns out to be right.
    func right(_ guess: PasswordGuess) async throws {
        guard try await limits.admit(guess) == .admitted else { throw UserFixture.Unexpected() }
        try await limits.giveBack(guess, knowsNetwork: true)
    }

    /// How many of `count` wrong ones, one after the other, are admitted.
    func admitted(_ count: Int, _ guess: (Int) -> PasswordGuess) async throws -> Int {
        var admitted = 0
        for number in 0..<count where try await limits.admit(guess(number)) == .admitted { admitted += 1 }
        return admitted
    }

    /// An address of another network (/24) for each number.
    static func network(_ number: Int) -> String { "203.\(number / 200).\(number % 200).9" }
}

/// Runs `body` with limits of its own.
func withGuessLimits<Result>(
    _ policy: PasswordPolicy = PasswordPolicy(), limitsLocalAddresses: Bool = true,
    _ body: (GuessFixture) async throws -> Result
) async throws -> Result {
    try await withRedis(functions: [GuessFunctions.library.source(loadedAt: 0)]) { server, redis in
        try await body(GuessFixture(server, redis, policy, limitsLocalAddresses: limitsLocalAddresses))
    }
}
