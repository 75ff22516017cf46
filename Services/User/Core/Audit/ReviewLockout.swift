import InternalAPI
import Logging
import Storage

/// Opens the review of the account whose phone number or email address wrong codes have locked for a day, once a month.
///
/// Such a lockout may be the work of somebody who only knows the number. So the review holds back only what is changed after it, ends by
/// itself, and the user goes on to sign in with what they had.
struct ReviewLockout: Sendable {
    /// How many seconds an identity's lockout is remembered, so that repeated ones open no further review. Redis can also bring records
    /// back when it is restored.
    static let memorySeconds: Int64 = 30 * 86_400
    /// How many seconds the review lasts, unless a report or new devices extend it.
    static let reviewSeconds: Int64 = 7 * 86_400

    private let store: any UserStore
    private let seal: LockoutSeal
    private let tags: CallTags
    /// Unix time in seconds.
    private let now: @Sendable () -> Int64
    private let logger: Logger

    init(store: any UserStore, keys: UserKeys, now: @escaping @Sendable () -> Int64, logger: Logger) {
        (seal, tags) = (LockoutSeal(ring: keys.attestations), CallTags(ring: keys.storage))
        (self.store, self.now, self.logger) = (store, now, logger)
    }

    /// Opens the review that a record of otp-service is about, if it is about one.
    ///
    /// - Throws: `StorageError` if a later attempt may succeed. Any other failure is logged, so that it stops no other record.
    func callAsFunction(_ entry: AuditStreamEntry) async throws {
        guard let sealed = entry.reviewedIdentity else { return }
        guard let identity = seal.open(sealed)?.canonical else {
            logger.error("lockout.unread", metadata: ["cause": "no key of attestation_otp_user opens the identity"])
            return
        }
        let call = tags.tag("lockout review", callID: "", body: [identity.kind.rawValue, identity.value])
        do { try await open(identity, lockedAt: entry.time, call) } catch let error as StorageError {
            guard [.corrupt, .constraint, .other].contains(error.code) else { throw error }
            logger.error("lockout.review_failed", metadata: ["cause": "\(error)"])
        }
    }

    /// Opens the review, unless the record is too old or has no time, or the user got the identity later: Redis may be an old copy, and
    /// others may write to it.
    private func open(_ identity: VerifiedIdentity, lockedAt: Int64, _ call: CallTag) async throws {
        try await store.decide(UserQuestion(.identity(identity), call: call, askedAt: now())) { facts, now in
            guard let user = facts.holder, !user.isForReview, facts.firstAnswer?.user != user.id else {
                return Verdict(())
            }
            let isCredible = lockedAt >= now - Self.memorySeconds && facts.heldSince ?? .max < lockedAt
            guard isCredible else { return Verdict(()) }
            let seen = FirstAnswer(
                call: call, answer: Array("{}".utf8), user: user.id, endsSessions: false,
                expiresAt: now + Self.memorySeconds)
            guard facts.reviewedSince == nil else { return Verdict((), [.answer(seen)]) }
            return Verdict(
                (),
                [
                    .openReview(of: user.id, since: min(lockedAt, now), until: now + Self.reviewSeconds), .answer(seen),
                    .audit(AuditEntry(.accountReviewOpened, user, RequestOrigin(), detail: "lockout")),
                ])
        }
    }
}
