import InternalAPI
import Policies

/// Stores challenges, counters and lockouts; each call is one atomic step.
///
/// A challenge is the last code that was sent to a phone number for a purpose in a dialect. It is kept longer than its code, so
/// that wrong, used, expired and unknown codes can be distinguished. Sends, attempts, failures and lockouts are counted separately
/// for *recognised* clients (in an address block from which the phone number signed in recently, or with a token of its owner) and
/// for *unrecognised* ones, so that unrecognised clients cannot lock the owner out.
protocol ChallengeStore: Sendable {
    /// Counts a send and opens the number's challenge, or refuses.
    ///
    /// An open challenge that can still be met is kept, so that the same code is sent again. Otherwise `send.challenge` is the new
    /// one, which replaces it. After a refusal nothing is counted.
    func admit(_ send: SendAttempt) async throws(ChallengeStoreFailure) -> SendVerdict

    /// Counts a guess, then compares it.
    func judge(_ guess: Guess) async throws(ChallengeStoreFailure) -> GuessVerdict

    /// Records the provider's result of a guess; until then it counts as wrong.
    ///
    /// - Parameter challenge: the challenge of the guess.
    func settle(
        _ guess: Guess, of challenge: ChallengeSeed, as word: ProviderWord
    ) async throws(ChallengeStoreFailure) -> GuessVerdict

    /// Counts a number that a token has verified as an attempt with a right code, or refuses. Challenges stay as they are.
    func admitVerified(_ subject: CallSubject) async throws(ChallengeStoreFailure) -> AdmissionVerdict

    /// Charges a further try of an admitted send, before it is made; the first one is charged with its admission.
    func charge(_ send: SendAttempt) async throws(ChallengeStoreFailure) -> TryVerdict

    /// Notes that no provider accepted the message of an admitted send, so that a repeat of its call gets the same response. It
    /// also notes the channels on which a provider reported the number as bad, for a day.
    func noteOutcome(
        of send: SendAttempt, _ outcome: SendOutcome, bad: Set<PhoneChannel>
    ) async throws(ChallengeStoreFailure)

    /// Notes that a message to the number did not arrive, so that for a day other channels are tried before this one.
    ///
    /// A number to which nothing was sent recently is not changed.
    func noteUndelivered(
        _ recipient: RecipientTag, by channel: PhoneChannel, now: Int64
    ) async throws(ChallengeStoreFailure)

    /// Lifts the recipient's lockouts and limits, and closes their codes.
    ///
    /// - Returns: whether anything counted against them.
    func unlock(_ recipient: RecipientTag, now: Int64) async throws(ChallengeStoreFailure) -> Bool

    /// Forgets the channels on which a provider reported a number as bad, and those on which messages did not arrive.
    ///
    /// - Returns: whether there were any.
    func clear(_ recipient: RecipientTag, now: Int64) async throws(ChallengeStoreFailure) -> Bool

    /// Forgets the networks at which a number is recognised since a sign-in of the day of `until` or before, and removes the
    /// challenges made at `codesUntil` or before. All counts stay.
    ///
    /// - Parameters:
    ///   - until: Unix time in seconds, as are `codesUntil` and `now`.
    ///   - codesUntil: the time; `nil` keeps all challenges.
    func forgetNetworks(
        of recipient: RecipientTag, until: Int64, codesUntil: Int64?, now: Int64
    ) async throws(ChallengeStoreFailure)
}

/// The store did not carry out the call, or it is unknown whether it did. Nothing may be sent or approved.
struct ChallengeStoreFailure: Error, Sendable, CustomStringConvertible {
    /// The text for the log.
    let description: String
    /// The time after which another try makes sense, in seconds.
    let retryAfterSeconds: Int64

    init(_ description: String, retryAfterSeconds: Int64 = 1) {
        self.description = description
        self.retryAfterSeconds = retryAfterSeconds
    }
}

/// The recipient and the client of a call, as tags that only this service can make (`CodeSecrets`).
struct CallSubject: Sendable {
    let recipient: RecipientTag
    let place: ChallengePlace
    /// The tag of the user that the challenge is bound to, if any.
    var ownerTag: [UInt8]?
    /// The tag of the address block in which the number is recognised after a sign-in.
    let blockTag: [UInt8]
    /// Whether the client presented a token of the number's owner.
    let isVouchedFor: Bool
    /// The limits that apply to more than this number.
    var windows: [LimitWindow]
    /// The tag of the `callID` and the content of the call.
    let callTag: [UInt8]
    /// Unix time in seconds.
    var now: Int64
}

/// The values from which, besides number and place, a challenge's id is derived. The store keeps nothing else of it.
struct ChallengeSeed: Sendable, Equatable {
    /// The time at which it was made, in Unix seconds.
    let created: Int64
    /// The bytes that distinguish challenges of one second.
    let salt: [UInt8]

    static let saltByteCount = 2
}

/// A request to send a code.
struct SendAttempt: Sendable {
    let subject: CallSubject
    /// The challenge if a new one is opened.
    let challenge: ChallengeSeed
    /// The proof of that challenge's code; `providersProof` if a provider makes the code.
    let proof: [UInt8]
    /// The review access to which the code belongs; `nil` if the code is the challenge's own.
    var review: ReviewSeed?
    /// The channels of the message, the requested one first; empty for a mail.
    var channels: [PhoneChannel] = []
    /// The cost of the message; `nil` if it costs nothing.
    var charge: SpendCharge?
    /// The country and the channel by which the message is counted; `nil` if none is sent.
    var label: String?

    /// Returns the channel that was paid with the admission: the first, unless it is bad or others come before it; `nil` for none.
    func paidChannel(bad: Set<PhoneChannel>, late: Set<PhoneChannel>) -> PhoneChannel? {
        guard let first = channels.first, !bad.contains(first) else { return nil }
        let isLate = late.contains(first) && channels.contains { !bad.contains($0) && !late.contains($0) }
        return isLate ? nil : first
    }

    /// A proof that none of our codes has. For it a provider is asked whether a guess is right.
    static let providersProof = [UInt8](repeating: 0, count: 5)
}

/// A code that a client presents.
struct Guess: Sendable {
    var subject: CallSubject
    /// The proof of the presented code.
    let proof: [UInt8]
    /// Whether it came in a link, which cannot be guessed. If it belongs to another challenge, it counts only for the client's IP
    /// address.
    var isLink = false
    /// Whether the text cannot be a code. Then it counts for the client's IP address and for nothing of the number.
    var isMalformed = false
    /// Whether the provider that makes codes cannot be asked now.
    var isProviderAway = false
    /// The encrypted identity for the record of a long lockout; `nil` if no account is reviewed for it.
    var sealedIdentity: [UInt8]?
    /// The figures of the row of prices; `nil` if there are none.
    var charge: SpendCharge?
    /// The country and the channel by which the code is counted; `nil` if it was not sent.
    var label: String?
}

/// The decision of `admit`.
enum SendVerdict: Sendable, Equatable {
    /// The code of this challenge is to be sent, once.
    /// - bad: the channels on which a provider reports the number as bad, so that they are not tried.
    /// - late: the channels on which a message did not arrive recently, so that others are tried first.
    /// - followsAnother: whether a provider may still have another code for the number.
    /// - news: the events of spending.
    case send(
        ChallengeSeed, bad: Set<PhoneChannel> = [], late: Set<PhoneChannel> = [], followsAnother: Bool = false,
        news: [SpendNews] = [])
    /// A provider reports the number as bad on all channels of the message; nothing is counted.
    case badNumber
    /// This very call was admitted before.
    case repeated(failed: Bool)
    /// The number is under this review access, or under none, which differs from the attempt; nothing is counted.
    case underReview(ReviewSeed?)
    case limited(rule: LimitRule, retryAfterSeconds: Int64, [SpendNews] = [])
}

/// The decision of `judge`.
enum GuessVerdict: Sendable, Equatable {
    /// The code is right. Until `expiresAt` it may be presented again, with the same outcome.
    /// - reviewEndsAt: when the review access ends whose code it is, in Unix seconds; `nil` for every other code.
    case approved(ChallengeSeed, expiresAt: Int64, reviewEndsAt: Int64? = nil)
    case wrongCode, used, expired, unknown
    case limited(rule: LimitRule, retryAfterSeconds: Int64)
    /// The guess counts as wrong until the provider is asked. Its result is to be passed to `settle`.
    case ask(ChallengeSeed, channel: PhoneChannel)
    /// The provider has not replied yet, or never will, so the guess stays wrong.
    case undecided
    /// The provider cannot be asked, and nothing is counted.
    case providerAway
    /// The text cannot be a code; no attempt was counted.
    case malformed
}

/// The provider's result for a guess, as `settle.lua` accepts it.
enum ProviderWord: String, Sendable {
    case right = "r"
    case wrong = "w"
    /// The provider compares no more guesses with its code.
    case usedUp = "u"
    /// The provider no longer has a code of the number.
    case gone = "g"
}

/// The decision of `admitVerified`.
enum AdmissionVerdict: Sendable, Equatable {
    case admitted
    case limited(rule: LimitRule, retryAfterSeconds: Int64)
}

/// The limit that refused; the `rule` label of `auth_rate_limited_total`.
enum LimitRule: String, Sendable, CaseIterable {
    case phone, lockout, challenge, prefix, country, total, mailbox, budget
    case address = "ip"

    /// The kind of limit that the client of a refused message learns.
    var kindOfSend: LimitKind {
        switch self {
        case .lockout: .lockout
        case .phone, .challenge, .prefix, .country, .total, .mailbox, .budget: .sends
        case .address: .requests
        }
    }

    /// The kind of limit that the client of a refused guess learns: the number's own limits are all a lockout for the user.
    var kindOfGuess: LimitKind { self == .address ? .requests : .lockout }
}

/// The outcome of an admitted send.
enum SendOutcome: String, Sendable {
    /// A provider accepted it.
    case taken = ""
    case failed
    /// It failed, and a provider may still have an earlier code of the number.
    case unclosed
}
