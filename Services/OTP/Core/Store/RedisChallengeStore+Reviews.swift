import InternalAPI
import RedisClient

extension RedisChallengeStore: ReviewStore {
    func change(_ review: ReviewChange) async throws(ChallengeStoreFailure) -> ReviewVerdict {
        let reply = try await call(
            scripts.review, on: review.recipient, review.now,
            [
                "tag": .bytes(review.recipient.bytes), "ends": .integer(review.seed?.endsAt ?? 0),
                "salt": .bytes(review.seed?.salt ?? []), "openMax": RedisArgument(ReviewChange.openMax),
                "label": .text(review.label), "operator": .operatorOfCall,
            ], keys: [RedisKeys.reviews])
        guard let verdict = ReviewVerdict(rawValue: reply.result) else { throw reply.failure }
        return verdict
    }

    func isReviewOpen(
        _ recipient: RecipientTag, challengedAt: Int64, now: Int64
    ) async throws(ChallengeStoreFailure) -> Bool {
        try await call(scripts.reviewOpen, on: recipient, now, ["created": .integer(challengedAt)]).integer("open") == 1
    }

    func openReviews(
        and recipient: RecipientTag?, now: Int64
    ) async throws(ChallengeStoreFailure) -> (all: [OpenReview], endsAt: Int64?) {
        let reply = try await redis.call(
            scripts.reviews, [RedisKeys.reviews], ["now": .integer(now), "tag": .bytes(recipient?.bytes ?? [])])
        var reviews: [OpenReview] = []
        for value in reply["open"]?.arrayValue ?? [] {
            guard let parts = value.arrayValue, parts.count == 2, let endsAt = parts[0].integerValue,
                let label = parts[1].text
            else { throw ScriptReply.unexpected }
            reviews.append(OpenReview(endsAt: endsAt, label: label))
        }
        let endsAt = try reply.integer("ends")
        return (reviews, endsAt == 0 ? nil : endsAt)
    }
}
