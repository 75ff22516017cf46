import CoreMetrics
import Policies
import RedisClient

/// Counts guesses at passwords, and mails about accounts, before anything is hashed or written.
///
/// Every count and its check are one script in Redis. Accounts that do not exist count alike, by the address's one spelling.
struct GuessLimits: Sendable {
    let redis: RedisClient
    let scripts: GuessScripts
    let policy: PasswordPolicy
    let tags: GuessTags
    /// Whether limits by address hold for loopback and private addresses.
    let limitsLocalAddresses: Bool
    /// Whether Redis has room for another counter: the rest is kept for revocations.
    let hasRoom: @Sendable () -> Bool

    /// - Throws: `GuessLimitsFailure`; then nothing may be hashed.
    func admit(_ guess: PasswordGuess) async throws(GuessLimitsFailure) -> LimitVerdict {
        let reply = try await run(scripts.admit, guess, hasRoom() ? "1" : "0")
        return try verdict(reply, rule: "guess")
    }

    /// Takes a guess back.
    ///
    /// - Parameter knowsNetwork: it was right, so its network is the user's from now on.
    func giveBack(_ guess: PasswordGuess, knowsNetwork: Bool) async throws(GuessLimitsFailure) {
        _ = try await run(scripts.giveBack, guess, knowsNetwork ? "1" : "0")
    }

    /// Forgets the guesses at an account whose password was reset.
    ///
    /// - Parameter now: Unix time in seconds.
    func clear(_ account: String, now: Int64) async throws(GuessLimitsFailure) {
        _ = try await run(
            scripts.clear, PasswordGuess(account: account, client: nil, isBearer: true, now: now), "")
    }

    /// Counts a mail about an account, to whichever address.
    ///
    /// - Throws: `GuessLimitsFailure`; then no mail may be written.
    func admit(_ mail: AccountMail) async throws(GuessLimitsFailure) -> LimitVerdict {
        let ofRecipient = ["ms", "mk"].flatMap { rule in
            policy.mails.perRecipient.map { Window(rule, $0, mail.mailbox, mail.now) }
        }
        let network = counted(mail.client).map {
            [Window("mn", policy.mails.perNetwork, $0.knownScope.description, mail.now)]
        }
        let windows = ofRecipient + (network ?? [])
        let scope = mail.client?.knownScope
        let reply = try await evaluate(
            scripts.mail, keys: [tags.accountKey(mail.account), tags.ownKey(mail.account, scope)], windows,
            [.integer(mail.now), .bytes(tags.network(scope)), "0"],
            [RedisArgument(ofRecipient.count), hasRoom() ? "1" : "0"])
        return try verdict(reply, rule: "mail")
    }

    private func run(
        _ script: RedisScript, _ guess: PasswordGuess, _ last: RedisArgument
    ) async throws(GuessLimitsFailure) -> RedisValue {
        let scope = guess.isBearer ? nil : guess.client?.knownScope
        let windows = (counted(guess.client)?.limitScopes ?? []).map { scope in
            Window("c", policy.attempts.perAddress.times(scope), scope.block.description, guess.now)
        }
        return try await evaluate(
            script, keys: [tags.accountKey(guess.account), tags.ownKey(guess.account, scope)], windows,
            [.integer(guess.now), .bytes(tags.network(scope)), guess.isBearer ? "1" : "0"], [last])
    }

    /// The address, where limits by address hold for it.
    private func counted(_ client: IPAddress?) -> IPAddress? {
        client.flatMap { limitsLocalAddresses || !$0.isLoopbackOrPrivate ? $0 : nil }
    }

    /// A window of the clock, and the counter that a call falls under.
    private struct Window {
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

    private func evaluate(
        _ script: RedisScript, keys: [String], _ windows: [Window], _ first: [RedisArgument],
        _ last: [RedisArgument]
    ) async throws(GuessLimitsFailure) -> RedisValue {
        let windowKeys = windows.map { tags.windowKey($0.rule, $0.limit, $0.number, $0.subject) }
        let numbers = windows.flatMap { [RedisArgument($0.limit.max), .integer($0.endsAt)] }
        do throws(RedisError) {
            return try await redis.evaluate(script, keys: keys + windowKeys, arguments: first + numbers + last)
        } catch {
            throw GuessLimitsFailure("Redis: \(error.code.rawValue): \(error.message)")
        }
    }

    private func verdict(_ reply: RedisValue, rule: String) throws(GuessLimitsFailure) -> LimitVerdict {
        let parts = reply.arrayValue ?? []
        switch parts.first?.text {
        case "admitted": return .admitted
        case "limited":
            guard parts.count == 2, let seconds = parts[1].integerValue else { break }
            Counter(label: "auth_password_limited_total", dimensions: [("rule", rule)]).increment()
            return .limited(retryAfterSeconds: seconds)
        case "full": throw GuessLimitsFailure("nearly full, the rest is kept for revocations", retryAfterSeconds: 60)
        default: break
        }
        throw GuessLimitsFailure("a script's answer is not of the agreed form")
    }
}

/// A password that somebody tries.
struct PasswordGuess: Sendable {
    /// The address, in its one spelling.
    let account: String
    /// Nil for a client whose address nobody knows; it has no limit by address.
    let client: IPAddress?
    /// Whether one of the user's own tokens came with it.
    let isBearer: Bool
    /// Unix time in seconds.
    let now: Int64
}

/// A mail that somebody asks for.
struct AccountMail: Sendable {
    /// In its one spelling.
    let account: String
    /// Under which mails are counted.
    let mailbox: String
    let client: IPAddress?
    /// Unix time in seconds.
    let now: Int64
}

enum LimitVerdict: Sendable, Equatable {
    case admitted
    /// After that wait it really fits.
    case limited(retryAfterSeconds: Int64)
}

/// Nothing could be counted: 503, and nothing is hashed.
struct GuessLimitsFailure: Error, CustomStringConvertible {
    let description: String
    let retryAfterSeconds: Int64

    init(_ description: String, retryAfterSeconds: Int64 = 1) {
        self.description = description
        self.retryAfterSeconds = retryAfterSeconds
    }
}
