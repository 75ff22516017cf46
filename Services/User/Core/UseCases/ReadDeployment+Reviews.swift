import InternalAPI

/// Review access for an administrator, which otp-service gives and ends.
extension ReadDeployment {
    /// The open review accesses, and when that of a number ends.
    ///
    /// - Throws: `InvalidInput` for the number; `ServiceUnavailable`; `StorageError`.
    func reviewAccess(_ request: ReviewListRequest, requestID: String?) async throws -> ReviewList {
        var (phone, user): (String?, User?) = (nil, nil)
        if let typed = request.phone { (phone, user) = try await holder(of: typed) }
        try await note("review access", of: user, requestID)
        let named = ReviewListRequest(phone: phone, administrator: RequestOrigin.ofAdministrator?.method)
        return try await answer(otpService.call(OTPOperations.openReviews, named, requestID: requestID))
    }

    /// Gives a number review access, unless it has an account that no review access has made.
    ///
    /// - Throws: `InvalidInput` for a member of the request; `ServiceUnavailable`; `StorageError`.
    func openReviewAccess(
        _ request: ReviewAccessRequest, requestID: String?
    ) async throws -> OperationOutcome<ReviewAccess, AdminReviewAccessRefusal> {
        let (phone, user) = try await holder(of: request.phone)
        try await note("review access: open", of: user, requestID)
        guard user?.isForReview != false else { return .refused(.taken) }
        let named = ReviewAccessRequest(
            phone: phone, until: request.until, administrator: RequestOrigin.ofAdministrator?.method)
        switch try await otpService.call(OTPOperations.openReview, named, requestID: requestID) {
        case .answer(let access): return .answer(access)
        case .refused(.invalidEnd, _): throw InvalidInput(member: "until")
        case .refused(let refusal, let title):
            return .refused(AdminReviewAccessRefusal(rawValue: refusal.rawValue) ?? .invalidRequest, title: title)
        }
    }

    /// Ends a number's review access, and the sessions of the account that it made. A repeat ends what a failure has left.
    ///
    /// - Throws: `InvalidInput` for the number; `ServiceUnavailable`; `StorageError`.
    func endReviewAccess(
        _ request: NumberRequest, sessions: EndUserSessions, requestID: String?
    ) async throws -> EndedReview {
        let (phone, user) = try await holder(of: request.phone)
        try await note("review access: end", of: user, requestID)
        let named = NumberRequest(phone: phone, administrator: RequestOrigin.ofAdministrator?.method)
        var ended = try await answer(otpService.call(OTPOperations.endReview, named, requestID: requestID))
        ended.endedCount = 0
        // The account may have been made since the first look, by a code that was accepted before the end.
        guard let reviewers = try await holder(of: phone).user, reviewers.isForReview else { return ended }
        let all = EndUserSessionsRequest(userID: reviewers.id.text(prefix: sessions.userIDPrefix))
        if case .answer(let answer) = try await sessions(all, requestID: requestID) {
            ended.endedCount = answer.endedCount
        }
        return ended
    }

    /// Returns a number in E.164, and its user if there is one.
    private func holder(of typed: String) async throws -> (phone: String, user: User?) {
        guard let number = VerifiedIdentity(typed: typed, region: defaultRegion), number.kind == .phone else {
            throw InvalidInput.phone
        }
        return (number.value, try await queries.find(.identity(number))?.user)
    }
}
