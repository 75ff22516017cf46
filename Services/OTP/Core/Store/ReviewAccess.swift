/// The store of the numbers under review access. The access is part of the number's challenges and counters.
protocol ReviewStore: Sendable {
    /// Puts a number under review access, or ends that. Codes that were sent to it before become void.
    func change(_ review: ReviewChange) async throws(ChallengeStoreFailure) -> ReviewVerdict

    /// Whether the access is still open by whose code the recipient's challenge of that time was approved.
    ///
    /// - Parameter challengedAt: Unix time in seconds.
    func isReviewOpen(
        _ recipient: RecipientTag, challengedAt: Int64, now: Int64
    ) async throws(ChallengeStoreFailure) -> Bool

    /// Returns the open review accesses, and when that of the recipient ends; `nil` if it has none.
    func openReviews(
        and recipient: RecipientTag?, now: Int64
    ) async throws(ChallengeStoreFailure) -> (all: [OpenReview], endsAt: Int64?)
}

/// The values from which, besides the number, the code of a number under review access is derived.
///
/// The time of expiry is one of them, so that another time gives another code.
struct ReviewSeed: Sendable, Equatable {
    /// The time of expiry, in Unix seconds.
    let endsAt: Int64
    let salt: [UInt8]

    static let saltByteCount = 8
}

/// An operator's change of a number's review access. It opens the access until a time, during which one code that is never sent is
/// valid, or ends it.
struct ReviewChange: Sendable {
    let recipient: RecipientTag
    /// The seed of the access; `nil` if it ends now.
    let seed: ReviewSeed?
    /// The name of the number in lists, which do not contain the number itself.
    let label: String
    /// Unix time in seconds.
    let now: Int64

    /// The greatest number of accesses that are open at once.
    static let openMax = 5
}

/// The outcome of a `ReviewChange`.
enum ReviewVerdict: String, Sendable {
    case opened, ended
    case notOpen = "not_open"
    /// The greatest number of others is already open.
    case tooMany = "too_many"
}

/// A review access that is open.
struct OpenReview: Sendable, Equatable {
    /// The time of expiry, in Unix seconds.
    let endsAt: Int64
    let label: String
}
