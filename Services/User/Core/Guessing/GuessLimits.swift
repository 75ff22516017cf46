import CoreMetrics
import Policies
import RedisClient

/// Counts guesses at passwords, and mails about accounts, before anything is hashed or written.
///
/// Every count and its check are one script in Redis. Guesses count by the email address in its canonical form, whether or not
/// it has an account.
struct GuessLimits: Sendable {
    let redis: RedisClient
    let scripts: GuessScripts
    let policy: PasswordPolicy
    let tags: GuessTags
    /// Whether limits by IP address apply to loopback and private addresses.
    let limitsLocalAddresses: Bool
    /// Whether Redis has room for another counter. The remaining memory is reserved for revocations.
    let hasRoom: @Sendable () -> Bool

    /// Counts a guess, or refuses it with the time to wait.
    ///
    /// - Throws: `GuessLimitsFailure`; the password must not be hashed then.
    func admit(_ guess: PasswordGuess) async throws(GuessLimitsFailure) -> LimitVerdict {
        let reply = try await run(scripts.admit, guess, hasRoom() ? "1" : "0")
        return try verdict(reply)
    }

    /// Records a wrong guess in the audit.
    ///
    /// - Parameter subject: the user's pseudonym, or `nil` if the email address has no account.
    func noteWrong(_ guess: PasswordGuess, about subject: Pseudonym?) async throws(GuessLimitsFailure) {
        let reply = try await run(
            scripts.wrong, guess, .bytes(subject?.bytes ?? tags.auditSubject(guess.account)))
        if reply.arrayValue?.first?.text == "audit_full" { throw GuessLimitsFailure.auditFull }
    }

    /// Removes a guess from the counts.
    ///
    /// - Parameter knowsNetwork: whether the guess was right, so that its network counts as the user's from now on.
    func giveBack(_ guess: PasswordGuess, knowsNetwork: Bool) async throws(GuessLimitsFailure) {
        _ = try await run(scripts.giveBack, guess, knowsNetwork ? "1" : "0")
    }

    /// Restarts an account's counts after a reset of its password. Its guesses and known networks are forgotten, and the network
    /// of the reset is known.
    ///
    /// - Parameters:
    ///   - client: the IP address that the reset came from, or `nil` if it is unknown.
    ///   - now: Unix time in seconds.
    func clear(_ account: String, from client: IPAddress?, now: Int64) async throws(GuessLimitsFailure) {
        _ = try await run(
            scripts.clear, PasswordGuess(account: account, client: client, isBearer: false, now: now), "")
    }

    private func run(
        _ script: RedisFunction, _ guess: PasswordGuess, _ last: RedisArgument
    ) async throws(GuessLimitsFailure) -> RedisValue {
        let scope = guess.isBearer ? nil : guess.client?.knownScope
        let windows = (counted(guess.client)?.limitScopes ?? []).map { scope in
            Window("c", policy.attempts.perAddress.times(scope), scope.block.description, guess.now)
        }
        let windowKeys = windows.map { tags.windowKey($0.rule, $0.limit, $0.number, $0.subject) }
        let numbers = windows.flatMap { [RedisArgument($0.limit.max), .integer($0.endsAt)] }
        return try await evaluate(
            script, keys: keys(of: guess.account, scope) + windowKeys,
            [.integer(guess.now), .bytes(tags.network(scope)), guess.isBearer ? "1" : "0"] + numbers + [last])
    }

    /// The first keys of every script.
    func keys(of account: String, _ scope: CIDR?) -> [String] {
        [tags.accountKey(account), tags.ownKey(account, scope), GuessTags.refusalsKey, GuessTags.auditKey]
    }

    /// The client's IP address, or `nil` if no limit by IP address applies to it.
    func counted(_ client: IPAddress?) -> IPAddress? {
        client.flatMap { limitsLocalAddresses || !$0.isLoopbackOrPrivate ? $0 : nil }
    }

    /// A window of the clock, and the counter that a call counts in.
    struct Window {
        let rule: String
        let limit: RateLimit
        let subject: String
        let number: Int64

        init(_ rule: String, _ limit: RateLimit, _ subject: String, _ now: Int64) {
            (self.rule, self.limit, self.subject) = (rule, limit, subject)
            number = now / limit.windowSeconds
        }

        var endsAt: Int64 { (number + 1) * limit.windowSeconds }
    }

    func evaluate(
        _ function: RedisFunction, keys: [String], _ arguments: [RedisArgument]
    ) async throws(GuessLimitsFailure) -> RedisValue {
        do throws(RedisError) {
            return try await redis.call(function, keys: keys, arguments: arguments)
        } catch {
            throw GuessLimitsFailure("Redis: \(error.code.rawValue): \(error.message)")
        }
    }

    private func verdict(_ reply: RedisValue) throws(GuessLimitsFailure) -> LimitVerdict {
        let parts = reply.arrayValue ?? []
        switch parts.first?.text {
        case "admitted": return .admitted
        case "limited":
            guard parts.count == 2, let seconds = parts[1].integerValue else { break }
            Counter(label: "auth_password_limited_total", dimensions: [("rule", "guess")]).increment()
            return .limited(retryAfterSeconds: seconds)
        case "audit_full": throw GuessLimitsFailure.auditFull
        case "full": throw GuessLimitsFailure.full
        default: break
        }
        throw GuessLimitsFailure("a Redis function returned an unexpected reply")
    }
}

/// An attempt to sign in with a password.
struct PasswordGuess: Sendable {
    /// The email address, in its canonical form.
    let account: String
    /// The client's IP address, or `nil` if it is unknown; no limit by IP address applies then.
    let client: IPAddress?
    /// Whether the request contains one of the user's own tokens.
    let isBearer: Bool
    /// Unix time in seconds.
    let now: Int64
}

/// The result of counting a guess.
enum LimitVerdict: Sendable, Equatable {
    case admitted
    /// After that time, the limits admit the guess.
    case limited(retryAfterSeconds: Int64)
}

/// A failure to count. The request is answered with 503, and nothing is hashed.
struct GuessLimitsFailure: Error, CustomStringConvertible {
    static let auditFull = GuessLimitsFailure(
        "the audit stream is full, so the guess cannot be audited", retryAfterSeconds: 5)
    static let full = GuessLimitsFailure(
        "Redis is nearly full; the remaining memory is reserved for revocations", retryAfterSeconds: 60)

    let description: String
    let retryAfterSeconds: Int64

    init(_ description: String, retryAfterSeconds: Int64 = 1) {
        self.description = description
        self.retryAfterSeconds = retryAfterSeconds
    }
}
