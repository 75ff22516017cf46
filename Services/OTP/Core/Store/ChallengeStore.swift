import Policies

/// Keeps challenges, counters and lockouts; each call is one atomic step.
///
/// A challenge is the code that was sent last to a number for a purpose in a dialect. It outlives its code, so that wrong, used,
/// expired and unknown codes are told apart. Sends, attempts, failures and lockouts count apart for *known* callers (an
/// address block from which the number signed in lately, or a token of its owner) and for *strangers*, so that
/// strangers cannot lock the owner out.
protocol ChallengeStore: Sendable {
    /// Counts a send and opens the number's challenge, or refuses.
    ///
    /// An open challenge that can still be met is kept, so that the same code is sent again; otherwise `send.challenge`
    /// is the new one, which replaces it. After a refusal nothing is counted.
    func admit(_ send: SendAttempt) async throws(ChallengeStoreFailure) -> SendVerdict

    /// Counts a guess, then compares it.
    func judge(_ guess: Guess) async throws(ChallengeStoreFailure) -> GuessVerdict

    /// Says what a guess was that the provider was asked about; until then it counts as wrong.
    ///
    /// - Parameter challenge: that the guess was about.
    func settle(
        _ guess: Guess, of challenge: ChallengeSeed, as word: ProviderWord
    ) async throws(ChallengeStoreFailure) -> GuessVerdict

    /// Charges a further try of an admitted send, before it is made; the first one is charged with its admission.
    func charge(_ send: SendAttempt) async throws(ChallengeStoreFailure) -> TryVerdict

    /// Notes that no provider took the message of an admitted send, so that a repeat of its call hears the same, and on which
    /// channels one called the number bad, for a day.
    func noteOutcome(
        of send: SendAttempt, _ outcome: SendOutcome, bad: Set<PhoneChannel>
    ) async throws(ChallengeStoreFailure)

    /// Notes that a message to the number did not arrive, so that for a day other channels go before this one.
    ///
    /// A number to which nothing went out lately is left as it is.
    func noteUndelivered(
        _ recipient: RecipientTag, by channel: PhoneChannel, now: Int64
    ) async throws(ChallengeStoreFailure)

    /// Forgets on which channels a provider calls a number bad, and by which messages did not arrive.
    ///
    /// - Returns: whether there was any.
    func clear(_ recipient: RecipientTag, now: Int64) async throws(ChallengeStoreFailure) -> Bool

    /// Forgets where a number is known since a sign-in of the day of `until` or before, and drops the challenges made at
    /// `codesUntil` or before. All counts stay.
    ///
    /// - Parameters:
    ///   - until: Unix time in seconds, as are `codesUntil` and `now`.
    ///   - codesUntil: `nil` leaves all challenges.
    func forgetNetworks(
        of recipient: RecipientTag, until: Int64, codesUntil: Int64?, now: Int64
    ) async throws(ChallengeStoreFailure)
}

/// The store did not do it, or it is not known whether it did: nothing may be sent or approved.
struct ChallengeStoreFailure: Error, Sendable, CustomStringConvertible {
    /// For the log.
    let description: String
    /// When it is worth trying again.
    let retryAfterSeconds: Int64

    init(_ description: String, retryAfterSeconds: Int64 = 1) {
        self.description = description
        self.retryAfterSeconds = retryAfterSeconds
    }
}

/// Whom a call is about, as stand-ins that only this service can make (`CodeSecrets`).
struct CallSubject: Sendable {
    let recipient: RecipientTag
    let place: ChallengePlace
    /// Stands for the block of addresses in which the number is known after a sign-in.
    let blockTag: [UInt8]
    /// The caller showed a token of the number's owner.
    let isVouchedFor: Bool
    /// Limits that hold for more than this number.
    var windows: [LimitWindow]
    /// Stands for the caller's `callID` with what it asks for.
    let callTag: [UInt8]
    /// Unix time in seconds.
    var now: Int64
}

/// What a challenge's id is derived from, beside number and place; all that the store keeps of it.
struct ChallengeSeed: Sendable, Equatable {
    /// Unix seconds.
    let created: Int64
    /// Tells challenges of one second apart.
    let salt: [UInt8]

    static let saltByteCount = 2
}

/// A wish to send a code.
struct SendAttempt: Sendable {
    let subject: CallSubject
    /// The challenge if a new one is made.
    let challenge: ChallengeSeed
    /// Stands for the code of that challenge; `providersProof` where a provider makes the code.
    let proof: [UInt8]
    /// Whose code that is; nil: the challenge's own.
    var review: ReviewSeed?
    /// How the message could go, as it was asked for first; empty for a mail.
    var channels: [PhoneChannel] = []
    /// What the message costs; nil: nothing.
    var charge: SpendCharge?

    /// The channel that was paid with the admission: the first, unless it is bad or others go before it; `nil` for none.
    func paidChannel(bad: Set<PhoneChannel>, late: Set<PhoneChannel>) -> PhoneChannel? {
        guard let first = channels.first, !bad.contains(first) else { return nil }
        let isLate = late.contains(first) && channels.contains { !bad.contains($0) && !late.contains($0) }
        return isLate ? nil : first
    }

    /// No code of ours has it: a provider is asked whether a guess is right.
    static let providersProof = [UInt8](repeating: 0, count: 5)
}

/// A code that somebody presents.
struct Guess: Sendable {
    var subject: CallSubject
    /// Stands for the presented code.
    let proof: [UInt8]
    /// Nobody can guess it: when it is another challenge's, it counts for the client's address alone.
    var isLink = false
    /// The text cannot be a code: it counts for the client's address and for nothing of the number.
    var isMalformed = false
    /// The provider that makes codes cannot be asked now.
    var isProviderAway = false
    /// Where the row of prices keeps its figures; nil: nowhere.
    var charge: SpendCharge?
}

/// What `admit` decided.
enum SendVerdict: Sendable, Equatable {
    /// The code of this challenge is to be sent, once.
    /// - bad: where a provider calls the number bad, so that nothing is tried.
    /// - late: by which a message did not arrive lately, so that others are tried first.
    /// - followsAnother: a provider may still hold another code for the number.
    /// - news: of spending.
    case send(
        ChallengeSeed, bad: Set<PhoneChannel> = [], late: Set<PhoneChannel> = [], followsAnother: Bool = false,
        news: [SpendNews] = [])
    /// A provider calls the number bad on all channels that the message could go; nothing is counted.
    case badNumber
    /// This very call was admitted before.
    case repeated(failed: Bool)
    /// The number is under this review access, or under none, against what the attempt says; nothing is counted.
    case underReview(ReviewSeed?)
    case limited(rule: LimitRule, retryAfterSeconds: Int64, [SpendNews] = [])
}

/// What `judge` decided.
enum GuessVerdict: Sendable, Equatable {
    /// The code is right; until `expiresAt` it may be presented again, with the same outcome.
    /// - isReview: it is the one that a store's reviewers were given.
    case approved(ChallengeSeed, expiresAt: Int64, isReview: Bool = false)
    case wrongCode, used, expired, unknown
    case limited(rule: LimitRule, retryAfterSeconds: Int64)
    /// Counted as wrong; the provider knows whether it is. `settle` is to be told what it says.
    case ask(ChallengeSeed, channel: PhoneChannel)
    /// The provider has not said so yet, or never will: it stays wrong.
    case undecided
    /// The provider cannot be asked, and nothing is counted.
    case providerAway
    /// The text cannot be a code; no attempt was counted.
    case malformed
}

/// What a provider says of a guess, as `settle.lua` takes it.
enum ProviderWord: String, Sendable {
    case right = "r"
    case wrong = "w"
    /// It compares no more guesses at its code.
    case usedUp = "u"
    /// It has no code of the number any more.
    case gone = "g"
}

/// Which limit refused; the `rule` label of `auth_rate_limited_total`.
enum LimitRule: String, Sendable, CaseIterable {
    case phone, lockout, challenge, prefix, country, total, mailbox, budget
    case address = "ip"
}

/// What an admitted send came to.
enum SendOutcome: String, Sendable {
    /// A provider took it.
    case taken = ""
    case failed
    /// It failed, and a provider may still hold an earlier code of the number.
    case unclosed
}
