import InternalAPI
import PhoneNumbers
import Policies

/// Lets a store's reviewers sign in with a phone number that is not in use. One code, which is never sent, is valid for it until a
/// set second (deploy/docs/decisions/review-access.md).
///
/// Limits, attempts and lockouts are those of any number. Redis keeps neither the code nor the number.
struct ManageReviews: Sendable {
    /// The longest access in seconds: longer than a review takes, and short enough that a forgotten one ends.
    static let secondsMax: Int64 = 30 * 86_400

    /// The rules of all dialects in which codes are requested; empty if no codes are sent to phones.
    let rules: [CodeRules]
    let store: any ReviewStore
    let secrets: CodeSecrets
    /// Unix time in seconds.
    let now: @Sendable () -> Int64
    /// Returns so many random bytes.
    let random: @Sendable (Int) -> [UInt8]

    /// Opens a review access. A second opening for the same number makes another code, and the first becomes void.
    ///
    /// - Throws: `InvalidInput`; `ChallengeStoreFailure`.
    func open(_ request: ReviewAccessRequest) async throws -> OperationOutcome<ReviewAccess, ReviewRefusal> {
        let (phone, now) = (try Self.phone(request.phone), now())
        guard !rules.isEmpty else { return .refused(.noCodes) }
        guard request.until > now, request.until - now <= Self.secondsMax else {
            return .refused(
                .invalidEnd,
                title: "The end lies in the past, or more than \(Self.secondsMax / 86_400) days away")
        }
        guard rules.allSatisfy({ $0.countries.allows(phone) }) else { return .refused(.blockedCountry) }
        let seed = ReviewSeed(endsAt: request.until, salt: random(ReviewSeed.saltByteCount))
        let verdict = try await store.change(change(phone, to: seed, now))
        guard verdict == .opened else {
            return .refused(.tooMany, title: "\(ReviewChange.openMax) are open; one of them has to end first")
        }
        let codes = rules.map { rules in
            (
                rules.dialect,
                secrets.code(of: seed, recipient: Recipient.phone(phone).key, digitCount: rules.otp.length)
            )
        }
        return .answer(ReviewAccess(codes: Dictionary(codes) { first, _ in first }))
    }

    /// - Throws: `InvalidInput`; `ChallengeStoreFailure`.
    func end(_ request: NumberRequest) async throws -> EndedReview {
        let phone = try Self.phone(request.phone)
        return EndedReview(wasOpen: try await store.change(change(phone, to: nil, now())) == .ended)
    }

    /// Returns whether the access is still open by whose code a phone number was verified.
    ///
    /// - Throws: `InvalidInput`; `ChallengeStoreFailure`.
    func confirm(_ proof: ReviewProof) async throws -> ReviewStanding {
        let recipient = secrets.tag(.phone(try Self.phone(proof.phone)))
        return ReviewStanding(
            isOpen: try await store.isReviewOpen(recipient, challengedAt: proof.challengedAt, now: now()))
    }

    /// - Throws: `InvalidInput`; `ChallengeStoreFailure`.
    func list(_ request: ReviewListRequest, noting note: NoteOperator) async throws -> ReviewList {
        let number = try request.phone.map { secrets.tag(.phone(try Self.phone($0))) }
        try await note(.lookedUp, about: number, detail: "reviews")
        let open = try await store.openReviews(and: number, now: now())
        return ReviewList(rows: open.all.map { .init(label: $0.label, until: $0.endsAt) }, until: open.endsAt)
    }

    private func change(_ phone: PhoneNumber, to seed: ReviewSeed?, _ now: Int64) -> ReviewChange {
        ReviewChange(
            recipient: secrets.tag(.phone(phone)), seed: seed,
            label: "+\(phone.callingCode)…\(phone.e164.suffix(2))", now: now)
    }

    private static func phone(_ text: String) throws(InvalidInput) -> PhoneNumber {
        do { return try PhoneNumber(parsing: text, region: nil) } catch { throw InvalidInput(member: "phone") }
    }
}
