import InternalAPI

/// Gives a phone number review access.
struct AdminReviewOpening: Codable, Sendable {
    let phoneNumber: String
    let until: Int64
}

/// The codes with which reviewers sign in.
struct AdminReviewCodes: Codable, Sendable {
    struct AdminReviewCode: Codable, Sendable {
        let dialect: String
        let code: String
    }

    let until: Int64
    let codes: [AdminReviewCode]
}

/// The open review accesses; times are Unix seconds.
struct AdminReviewAccess: Codable, Sendable {
    struct AdminOpenReview: Codable, Sendable {
        let label: String
        let until: Int64
    }

    let until: Int64?
    let open: [AdminOpenReview]
}

/// The response to an end of review access.
struct AdminEndedReview: Codable, Sendable {
    let wasOpen: Bool
    let endedCount: Int
}

extension AdminAnswers {
    /// `GET /admin/review-access?phoneNumber=`
    static func reviewAccess(
        _ users: AdministerUsers, _ request: ClientRequest, _ call: AdminCall
    ) async throws(Refusal) -> AdminReviewAccess {
        let list = try await users.reviewAccess(of: query(of: request)["phoneNumber"].map(searched), call)
        let open = list.rows.sorted { $0.until < $1.until }
        return AdminReviewAccess(until: list.until, open: open.map { .init(label: $0.label, until: $0.until) })
    }

    /// `POST /admin/review-access`
    static func openReviewAccess(
        _ users: AdministerUsers, _ request: ClientRequest, _ call: AdminCall
    ) async throws(Refusal) -> AdminReviewCodes {
        let body = try request.json.decode(AdminReviewOpening.self)
        let codes = try await users.openReviewAccess(body.phoneNumber, until: body.until, call).codes
        let sorted = codes.sorted { $0.key < $1.key }
        return AdminReviewCodes(until: body.until, codes: sorted.map { .init(dialect: $0.key, code: $0.value) })
    }

    /// `POST /admin/review-access/end`
    static func endReviewAccess(
        _ users: AdministerUsers, _ request: ClientRequest, _ call: AdminCall
    ) async throws(Refusal) -> AdminEndedReview {
        let ended = try await users.endReviewAccess(request.json.decode(AdminPhone.self).phoneNumber, call)
        return AdminEndedReview(wasOpen: ended.wasOpen, endedCount: ended.endedCount ?? 0)
    }
}
