internal import InternalAPI

/// Keeps challenges, counters and lockouts; each call is one atomic step.
///
/// A challenge is the code that was sent last to a number for a purpose. It outlives its code, so that wrong, used,
/// expired and unknown codes are told apart.
protocol ChallengeStore: Sendable {
    /// Counts a send and opens the number's challenge, or refuses.
    ///
    /// An open challenge that can still be met is kept, so that the same code is sent again; otherwise
    /// `send.challengeID` names a new one, which replaces it. After a refusal nothing is counted.
    func admit(_ send: SendAttempt) async throws(ChallengeStoreFailure) -> SendVerdict

    /// Counts a guess, then compares it.
    func judge(_ guess: Guess) async throws(ChallengeStoreFailure) -> GuessVerdict

    /// Notes that an admitted send did not reach the provider, so that a repeat of its call hears the same.
    func noteFailedSend(_ send: SendAttempt) async throws(ChallengeStoreFailure)
}

/// The store did not do it, or it is not known whether it did: nothing may be sent or approved.
struct ChallengeStoreFailure: Error, Sendable, CustomStringConvertible {
    /// For the log.
    let description: String

    init(_ description: String) { self.description = description }
}

/// Whom a call is about, as stand-ins that only this service can make (`CodeSecrets`).
struct CallSubject: Sendable {
    let phoneTag: String
    let purpose: Purpose
    let addressTag: String
    /// False for loopback and private addresses while they are exempt.
    let limitsAddress: Bool
    /// Stands for the caller's `callID` with what it asks for.
    let callTag: String
    /// Unix time in seconds.
    let now: Int64
}

/// A wish to send a code.
struct SendAttempt: Sendable {
    let subject: CallSubject
    /// The id of the challenge if a new one is made.
    let challengeID: String
    /// Stands for the code of that challenge.
    let proof: String
}

/// A code that somebody presents.
struct Guess: Sendable {
    let subject: CallSubject
    /// Stands for the presented code.
    let proof: String
}

/// What `admit` decided.
enum SendVerdict: Sendable, Equatable {
    /// The code of this challenge is to be sent, once.
    case send(challengeID: String)
    /// This very call was admitted before.
    case repeated(failed: Bool)
    case limited(rule: LimitRule, retryAfterSeconds: Int64)
}

/// What `judge` decided.
enum GuessVerdict: Sendable, Equatable {
    /// The code is right; until `expiresAt` it may be presented again, with the same outcome.
    case approved(challengeID: String, expiresAt: Int64)
    case wrongCode, used, expired, unknown
    case limited(rule: LimitRule, retryAfterSeconds: Int64)
}

/// Which limit refused; the `rule` label of `auth_rate_limited_total`.
enum LimitRule: String, Sendable, CaseIterable {
    case phone, lockout, challenge
    case address = "ip"
}
