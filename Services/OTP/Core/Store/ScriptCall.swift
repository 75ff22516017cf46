import InternalAPI
import Policies
import RedisClient

/// The arguments of a function by name, as `call.lua` reads them: name, value, name, value ...
struct ScriptCall: ExpressibleByDictionaryLiteral {
    private(set) var arguments: [RedisArgument]

    init(dictionaryLiteral elements: (RedisArgument, RedisArgument)...) {
        arguments = elements.flatMap { [$0, $1] }
    }

    /// Adds an argument, or nothing if the value is `nil`.
    mutating func add(_ name: RedisArgument, _ value: RedisArgument?) {
        if let value { arguments += [name, value] }
    }

    /// Adds the arguments of another call.
    mutating func add(_ other: ScriptCall) { arguments += other.arguments }

    /// Adds an entry of `windows`. The names after it belong to the last entry.
    mutating func add(_ window: LimitWindow) {
        arguments += ["window", .text(window.rule.rawValue), "field", .bytes(window.field)]
        add("strangersMax", window.unrecognisedMax.map { RedisArgument($0) })
        add("knownMax", window.knownMax.map { RedisArgument($0) })
        add("ends", .integer(window.endsAt))
    }

    /// Adds the cost of a message.
    mutating func add(_ charge: SpendCharge) {
        arguments += ["row", .text(charge.row), "price", .integer(charge.price)]
        add("hourBudget", charge.hourBudget.map(RedisArgument.integer))
        add("dayBudget", charge.dayBudget.map(RedisArgument.integer))
        add("isSilent", charge.isSilent ? "1" : nil)
    }
}

extension RedisClient {
    /// Calls a function, and returns its reply.
    func call(
        _ function: RedisFunction, _ keys: [String], _ call: ScriptCall
    ) async throws(ChallengeStoreFailure) -> ScriptReply {
        let reply: RedisValue
        do throws(RedisError) { reply = try await self.call(function, keys: keys, arguments: call.arguments) } catch {
            throw ChallengeStoreFailure(error)
        }
        return try ScriptReply(reply)
    }
}

extension ChallengeStoreFailure {
    init(_ error: RedisError) { self.init("Redis: \(error.code.rawValue): \(error.message)") }
}

/// A function's reply by name: a result, and values.
struct ScriptReply {
    static let unexpected = ChallengeStoreFailure("a Redis function returned an unexpected reply")
    static let auditFull = ChallengeStoreFailure(
        "the audit stream is full and is not emptied; nothing changes without an audit record", retryAfterSeconds: 5)

    private let values: [String: RedisValue]
    /// The value of `result`; empty if there is none.
    var result: String { values["result"]?.text ?? "" }

    init(_ reply: RedisValue) throws(ChallengeStoreFailure) {
        guard let parts = reply.arrayValue, !parts.isEmpty else { throw Self.unexpected }
        var values: [String: RedisValue] = [:]
        for index in stride(from: 0, to: parts.count - 1, by: 2) { values[parts[index].text ?? ""] = parts[index + 1] }
        self.values = values
    }

    subscript(_ name: String) -> RedisValue? { values[name] }

    /// The failure for a reply that is no result.
    var failure: ChallengeStoreFailure { result == "audit_full" ? Self.auditFull : Self.unexpected }

    /// Returns a number that the reply must have.
    func integer(_ name: String) throws(ChallengeStoreFailure) -> Int64 {
        guard let number = self[name]?.integerValue else { throw Self.unexpected }
        return number
    }

    /// Returns bytes that the reply must have.
    func bytes(_ name: String) throws(ChallengeStoreFailure) -> [UInt8] {
        guard let bytes = self[name]?.bytes else { throw Self.unexpected }
        return bytes
    }

    func challenge() throws(ChallengeStoreFailure) -> ChallengeSeed {
        ChallengeSeed(created: try integer("created"), salt: try bytes("seed"))
    }

    func channels(_ name: String) -> Set<PhoneChannel> {
        let bytes = self[name]?.bytes ?? []
        return Set(PhoneChannel.allCases.filter { bytes.contains($0.number) })
    }

    func channel() throws(ChallengeStoreFailure) -> PhoneChannel {
        let number = try integer("channel")
        guard let channel = PhoneChannel.allCases.first(where: { $0.number == number }) else { throw Self.unexpected }
        return channel
    }

    /// The events of spending.
    var news: [SpendNews] { (self["news"]?.arrayValue ?? []).compactMap { $0.text.flatMap(SpendNews.init) } }

    func review() throws(ChallengeStoreFailure) -> ReviewSeed? {
        let endsAt = try integer("ends")
        return endsAt == 0 ? nil : ReviewSeed(endsAt: endsAt, salt: try bytes("salt"))
    }

    func limited<Verdict>(_ make: (LimitRule, Int64) -> Verdict) throws(ChallengeStoreFailure) -> Verdict {
        guard let rule = self["rule"]?.text.flatMap(LimitRule.init(rawValue:)) else { throw Self.unexpected }
        return make(rule, try integer("seconds"))
    }
}
