/// Knows which numbers are under review access; what it holds is part of the number's challenges and counters.
protocol ReviewStore: Sendable {
    /// Puts a number under review access, or ends that; what was sent to it before is void.
    func change(_ review: ReviewChange) async throws(ChallengeStoreFailure) -> ReviewVerdict

    /// The review accesses that are open.
    func openReviews(now: Int64) async throws(ChallengeStoreFailure) -> [OpenReview]
}

/// What the code of a number under review access is derived from, beside the number.
///
/// Its end is in it, so that a changed end is another code.
struct ReviewSeed: Sendable, Equatable {
    /// Unix seconds.
    let endsAt: Int64
    let salt: [UInt8]

    static let saltByteCount = 8
}

/// What an operator wants of a number: that one code, which nobody is sent, holds for it until a second, or no longer.
struct ReviewChange: Sendable {
    let recipient: RecipientTag
    /// Nil: it ends now.
    let seed: ReviewSeed?
    /// What lists call the number, which they do not hold.
    let label: String
    /// Unix time in seconds.
    let now: Int64

    /// So many are open at once.
    static let openMax = 5
}

/// What came of a `ReviewChange`.
enum ReviewVerdict: String, Sendable {
    case opened, ended
    case notOpen = "not_open"
    /// As many others are open as may be.
    case tooMany = "too_many"
}

/// A review access that is open.
struct OpenReview: Sendable, Equatable {
    /// Unix seconds.
    let endsAt: Int64
    let label: String
}
