import InternalAPI

/// The operator's view of accounts under review.
struct ManageAccountReviews: Sendable {
    var store: any UserStore
    let queries: any UserQueries
    let userIDPrefix: String
    /// Unix time in seconds.
    let now: @Sendable () -> Int64

    /// Returns a page of the open reviews.
    ///
    /// - Throws: `InvalidInput` for a cursor that is no user's id.
    func list(_ request: AccountReviewsRequest) async throws -> AccountReviewPage {
        let last = try request.cursor.map { text in
            guard let id = UserID(text: text, prefix: userIDPrefix) else { throw InvalidInput(member: "cursor") }
            return id
        }
        let reviews = try await queries.reviews(behind: last, limit: AccountReviewPage.reviewsMax)
        return AccountReviewPage(
            reviews: reviews.map { review in
                AccountReviewPage.Review(
                    userID: review.user.text(prefix: userIDPrefix), since: review.since, openedAt: review.openedAt)
            })
    }

    /// Ends the review of an account.
    func clear(
        _ request: ClearReviewRequest, requestID: String?
    ) async throws -> OperationOutcome<ClearedReview, UserRefusal> {
        guard let id = UserID(text: request.userID, prefix: userIDPrefix) else { return .refused(.notFound) }
        let origin = RequestOrigin.byOperator(requestID)
        return try await store.decide(UserQuestion(.account(id), askedAt: now())) { facts, _ in
            guard let user = facts.holder else { return Verdict(.refused(.notFound)) }
            guard facts.reviewedSince != nil else { return Verdict(.answer(ClearedReview(wasOpen: false))) }
            return Verdict(
                .answer(ClearedReview(wasOpen: true)),
                [.closeReview(of: id), .audit(AuditEntry(.reviewCleared, user, origin))])
        }
    }
}
