import InternalAPI
import RedisClient

extension RedisChallengeStore: ReviewStore {
    func change(_ review: ReviewChange) async throws(ChallengeStoreFailure) -> ReviewVerdict {
        let reply = try ScriptReply(
            try await evaluate(
                scripts.review, keys(of: review.recipient) + [RedisKeys.reviews],
                [
                    .integer(review.now), .bytes(review.recipient.field), .bytes(review.recipient.bytes),
                    .integer(review.seed?.endsAt ?? 0), .bytes(review.seed?.salt ?? []),
                    RedisArgument(ReviewChange.openMax), .text(review.label), .operatorOfCall,
                ]))
        guard let verdict = ReviewVerdict(rawValue: reply.word) else { throw reply.failure }
        return verdict
    }

    func isReviewOpen(
        _ recipient: RecipientTag, challengedAt: Int64, now: Int64
    ) async throws(ChallengeStoreFailure) -> Bool {
        let reply = try await evaluate(
            scripts.reviewOpen, keys(of: recipient),
            [.integer(now), .bytes(recipient.field), .integer(challengedAt)])
        guard let number = reply.integerValue else { throw ScriptReply.unexpected }
        return number == 1
    }

    func openReviews(now: Int64) async throws(ChallengeStoreFailure) -> [OpenReview] {
        let reply = try await evaluate(scripts.reviews, [RedisKeys.reviews], [.integer(now)])
        var reviews: [OpenReview] = []
        for value in reply.arrayValue ?? [] {
            guard let parts = value.arrayValue, parts.count == 2, let endsAt = parts[0].integerValue,
                let label = parts[1].text
            else { throw ScriptReply.unexpected }
            reviews.append(OpenReview(endsAt: endsAt, label: label))
        }
        return reviews
    }
}
