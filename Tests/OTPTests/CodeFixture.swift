import CryptoPrimitives
import Delivery
import EmailAddresses
import InternalAPI
import Logging
import Policies
import RedisClient
import ServiceCalls
import Synchronization
import TestSupport
import Testing

@testable import OTPCore

/// The two use cases over a real Redis, with a clock that tests set and a sender that keeps what it is given.
struct CodeFixture: Sendable {
    static let webhookSecret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    static let start: Int64 = 1_800_000_000
    static let phone = "+15551234567"

    let server: RedisServer
    let redis: RedisClient
    let memory: RedisMemoryWatch
    let store: RedisChallengeStore
    let trace: TraceBook
    let wiring: OTPWiring
    let phones: PhoneCodes
    let sender: RecordingSender
    let mailSender: RecordingSender
    let clock: SettableClock
    let attestationKeys: KeyRing

    /// Asks for a code; the address is one of the internet unless given.
    @discardableResult
    func request(
        _ phone: String = Self.phone, region: String? = nil, from address: String = "198.51.100.7",
        call: String? = nil, signedInAs signedInPhone: String? = nil, in dialect: String? = nil,
        isUnwelcome: Bool = false
    ) async throws -> OTPRequestAnswer {
        try await phones.codes(of: dialect).request(
            OTPRequest(
                phone: phone, region: region, purpose: .signIn, address: address, signedInPhone: signedInPhone,
                callID: call ?? Self.newCall(), isUnwelcome: isUnwelcome ? true : nil))
    }

    func verify(
        _ code: String, phone: String = Self.phone, from address: String = "198.51.100.7", call: String? = nil,
        signedInAs signedInPhone: String? = nil, in dialect: String? = nil
    ) async throws -> OTPVerifyAnswer {
        try await phones.codes(of: dialect).verify(
            OTPVerify(
                phone: phone, region: nil, code: code, purpose: .signIn, address: address,
                signedInPhone: signedInPhone, callID: call ?? Self.newCall()))
    }

    /// Asks for a code and returns it.
    func sentCode(_ phone: String = Self.phone, from address: String = "198.51.100.7") async throws -> String {
        let answer = try await request(phone, from: address)
        guard answer.result == .sent, let code = sender.messages.last?.content.code else {
            throw Unexpected(answer: answer)
        }
        return code
    }

    /// The stand-in of a number in E.164.
    func tag(ofPhone text: String) -> RecipientTag {
        let rules = CodeRules(otp: OTPPolicy())
        return rules.phone(text, region: nil).map { wiring.manageReviews.secrets.tag(.phone($0)) } ?? .init(bytes: [])
    }

    /// The stand-in of an e-mail address.
    func tag(of address: String) throws -> RecipientTag {
        try #require(wiring.mailCodes).codes(of: nil).request.send.subjects.secrets.tag(
            .email(try EmailAddress(parsing: address)))
    }

    /// Returns the contents of the attestation in `answer`.
    func attestation(_ answer: OTPVerifyAnswer) throws -> Attestation {
        try Attestation.open(answer.attestation ?? "", with: attestationKeys, now: clock.now)
    }

    /// The identities in the audit's records of lockouts, oldest first; `nil` for a record without one.
    var lockedIdentities: [VerifiedIdentity?] {
        get async throws {
            let reply = try await redis.send(["XRANGE", .text(OTPAuditStream.key), "-", "+"])
            let records = try #require(reply.arrayValue).map { $0.arrayValue?.last?.arrayValue ?? [] }
            return records.filter { $0.contains { $0.text == OTPAuditEvent.locked.rawValue } }.map { record in
                let place = record.firstIndex { $0.text == OTPAuditStream.Field.identity }
                return place.flatMap { record[$0 + 1].bytes }.flatMap(LockoutSeal(ring: attestationKeys).open)
            }
        }
    }

    /// A code of six digits that is not `code`; another one for each `number` below 900,000.
    static func wrong(_ code: String, _ number: Int = 0) -> String {
        String(100_000 + ((Int(code) ?? 0) + 1 + number) % 900_000)
    }

    static func newCall() -> String { Hex.encode(SecureRandom.bytes(8)) }

    struct Unexpected: Error { let answer: OTPRequestAnswer }
}

/// Runs `body` with a fixture of its own.
func withFixture<Result>(
    _ policy: OTPPolicy = OTPPolicy(), countries: CountryRule = CountryRule(), region: String? = nil,
    environment: DeploymentEnvironment = .uat, localExemption: LimitExemption = .none, aarokya: OTPPolicy? = nil,
    email: EmailPolicy = EmailPolicy(), texts: SMSTexts? = nil, spend: SpendPolicy? = nil,
    line: SenderLine? = nil, twilio: TwilioParts = .init(), configuration: [String] = [],
    redisSeconds: Int? = nil, isClosed: Bool = false,
    leastMilliseconds: Int64? = nil, waitsForAnswers: Bool? = nil,
    _ body: (CodeFixture) async throws -> Result
) async throws -> Result {
    let policies = [Dialect.native: policy, Dialect.aarokya: aarokya].compactMapValues { $0 }
    let rules = policies.map { dialect, otp in
        var rules = CodeRules(
            dialect: dialect, otp: otp, countries: countries, defaultRegion: region, texts: texts,
            spend: spend.map { SpendRules(policy: $0) }, environment: environment,
            localExemption: localExemption)
        rules.isClosed = isClosed
        return rules
    }
    let run = PackageResources.run_lua + Array((redisSeconds.map { "runSeconds = \($0)\n" } ?? "").utf8)
    let library = CodeFunctions.make(run: run)
    let sources = Set([library, CodeFunctions.library].map { $0.source(loadedAt: 0) })
    return try await withRedisServer(configuration: configuration, functions: Array(sources)) { server in
        let redis = RedisClient(.patient(port: server.port), logger: Logger(label: "test"))
        let behind = SendsBehind()
        return try await running(redis, behind) {
            let keys = try KeyRing(parsing: "k1 \(Hex.encode(SecureRandom.bytes(32)))")
            let clock = SettableClock(CodeFixture.start)
            let (sender, mailSender) = (RecordingSender(), RecordingSender())
            let all = Array(policies.values)
            let memory = RedisMemoryWatch(redis: redis)
            let trace = TraceBook(
                redis: redis, isShort: { memory.isShort }, now: { clock.now }, logger: Logger(label: "test"))
            let stores = policies.mapValues { otp in
                RedisChallengeStore(
                    redis: redis,
                    scripts: CodeScripts(otp, among: all, spend: spend, isClosed: isClosed, library: library))
            }
            let store = try #require(stores[Dialect.native])
            let parts = CodeParts(
                secrets: CodeSecrets(keys: try KeyRing(parsing: "k1 \(Hex.encode(SecureRandom.bytes(32)))")),
                attestationKeys: keys, hasRoom: { !memory.isNearlyFull }, trace: trace,
                lockouts: LockoutSeal(ring: keys),
                moment: AnswerMoment(
                    redis: redis, sends: behind, logger: Logger(label: "test"),
                    leastMilliseconds: leastMilliseconds ?? 1,
                    waitsForAnswers: waitsForAnswers ?? (leastMilliseconds == nil)),
                logger: Logger(label: "test"), now: { clock.now })
            let dialects = rules.map { PhoneCodes.Dialect(rules: $0, store: stores[$0.dialect] ?? store) }
            let phones = try #require(
                PhoneCodes(
                    dialects, parts, line: line ?? SenderLine([sender]), twilio: twilio,
                    notices: (
                        NoticeLetter(appName: "Test", catalog: .english, baseURL: "https://auth.test"), redis
                    )))
            let blocks = AddressBlocks(redis: redis, now: { clock.now })
            let wiring = OTPWiring(
                phoneCodes: phones,
                mailCodes: MailCodes(
                    CodeRules(otp: email.codes, environment: environment, localExemption: localExemption),
                    store: RedisChallengeStore(redis: redis, scripts: CodeScripts(email.codes, among: all)), parts,
                    letter: SignInLetter(
                        appName: "Test", catalog: .english, linkURL: "https://auth.test/auth/magic-link",
                        lifetimeSeconds: email.codes.lifetimeSeconds, baseURL: "https://auth.test"), sender: mailSender,
                    blocks: blocks),
                notices: Notices(
                    parts, letter: NoticeLetter(appName: "Test", catalog: .english, baseURL: "https://auth.test"),
                    sender: mailSender, blocks: blocks,
                    webhooks: try WebhookSignature(secrets: CodeFixture.webhookSecret)),
                dialects: dialects, store: store, redis: redis,
                reportSpending: spend.map {
                    ReportSpending(policy: $0, book: SpendBook(redis: redis), now: { clock.now })
                }, parts)
            return try await body(
                CodeFixture(
                    server: server, redis: redis, memory: memory, store: store, trace: trace, wiring: wiring,
                    phones: phones,
                    sender: sender,
                    mailSender: mailSender, clock: clock, attestationKeys: keys))
        }
    }
}

/// Runs `body` while the client is connected, and ends it on every way out.
func running<Result>(
    _ redis: RedisClient, _ behind: SendsBehind, _ body: () async throws -> Result
) async throws -> Result {
    let sends = Task { try await behind.run() }
    defer { sends.cancel() }
    return try await running(redis, body)
}

/// A clock that stands still until it is moved.
final class SettableClock: Sendable {
    private let seconds: Mutex<Int64>

    init(_ start: Int64) { seconds = Mutex(start) }

    var now: Int64 { seconds.withLock { $0 } }

    func advance(_ by: Int64) { seconds.withLock { $0 += by } }
}

/// Keeps the messages that it is to send, or fails.
final class RecordingSender: MessageSender {
    let provider: String
    let abilities: SenderAbilities
    private let state = Mutex<(messages: [Message], failure: DeliveryFailure?)>(([], nil))

    init(_ provider: String = "test", abilities: SenderAbilities = .everything) {
        self.provider = provider
        self.abilities = abilities
    }

    var messages: [Message] { state.withLock { $0.messages } }

    /// The first message to a recipient, which is kept no longer.
    func takeMessage(to recipient: String) -> Message? {
        state.withLock { state in
            state.messages.firstIndex { $0.recipient == recipient }.map { state.messages.remove(at: $0) }
        }
    }

    func fail(with failure: DeliveryFailure?) { state.withLock { $0.failure = failure } }

    func send(_ message: Message) async throws(DeliveryFailure) -> String {
        let failure = state.withLock { state in
            state.messages.append(message)
            return state.failure
        }
        if let failure { throw failure }
        return message.id
    }
}

extension OTPPolicy {
    /// Generous limits, and none over many numbers.
    static var onlyBudgets: OTPPolicy {
        var policy = OTPPolicy.generous
        (policy.sendsPerCountry, policy.sendsInTotal) = ([], [])
        return policy
    }

    /// The values of the howru document.
    static var howru: OTPPolicy {
        var policy = OTPPolicy()
        policy.attemptsPerRecipient = [RateLimit(max: 5, windowSeconds: 3_600)]
        policy.messageTemplate = "Your HowRU code is {code}"
        return policy
    }

    /// The howru policy with so many sends and attempts per number and prefix that only challenges and lockouts are limits.
    static var generous: OTPPolicy {
        var policy = OTPPolicy.howru
        policy.sendsPerRecipient = [RateLimit(max: 1_000, windowSeconds: 3_600)]
        policy.attemptsPerRecipient = [RateLimit(max: 1_000, windowSeconds: 3_600)]
        policy.sendsPerPrefix = []
        return policy
    }
}
