import CryptoPrimitives
import InternalAPI

/// Ends all sessions of a user who reports, by the link of a notice, that a change was not theirs, and opens a review.
///
/// The link gives no access and moves nothing back. Its form needs a secret that only the page has, so that a link scanner, which
/// opens the link or sends something to its address, reports nothing.
struct ReportNotMe: Sendable {
    let act: AccountAct
    let tags: CallTags
    let userIDPrefix: String

    /// Returns the secret of the page's form while the link is valid. Nothing changes.
    func form(_ request: NotMeFormRequest) async throws -> NotMeForm {
        guard let secret = LinkSecret(request.token) else { return NotMeForm(secret: nil) }
        let facts = try await act.facts(.link(hash: secret.hash), nil)
        return NotMeForm(secret: Self.reporter(facts).map { _ in formSecret(of: secret) })
    }

    /// Carries the report out, once.
    ///
    /// - Throws: `StorageError`; the link is not used then.
    func callAsFunction(_ report: NotMeReport, requestID: String?) async throws -> AccountAnswer {
        guard let secret = LinkSecret(report.token),
            constantTimeEqual(Array(report.formSecret.utf8), Array(formSecret(of: secret).utf8))
        else { return AccountAnswer(.invalidLink) }
        let origin = RequestOrigin(requestID: requestID, method: "link")
        return try await act(.link(hash: secret.hash), nil) { facts, now in
            guard let link = facts.link, let user = Self.reporter(facts) else { return .refused(.invalidLink) }
            return .done(try ending(user, since: link.createdAt, origin, now), endingSessionsOf: user.id)
        }
    }

    /// The user who reports by the link; `nil` if the link is for something else.
    private static func reporter(_ facts: UserFacts) -> User? { facts.link?.purpose == .notMe ? facts.holder : nil }

    /// The changes that end everything that signs in to the account or changes it, and open the review.
    ///
    /// - Parameter since: the Unix time in seconds of the reported change. Links of earlier changes stay valid: a thief may have got
    ///   the notices of later ones.
    private func ending(_ user: User, since: Int64, _ origin: RequestOrigin, _ now: Int64) throws -> [UserChange] {
        let after = user.endingSessions(at: now)
        let revocation = RevokeUserRequest(
            userID: user.id.text(prefix: userIDPrefix), epoch: after.epoch, reason: .reported)
        return [
            .update(after), .endLinks(of: user.id), .endNotMeLinks(of: user.id, since: since),
            .endPending(of: user.id), .endWaitingPasskeys(of: user.id), .endSecondFactor(of: user.id, since: since),
            .forgetReportedOrigins(of: user.id, since: since), .openReview(of: user.id, since: since),
            .audit(AuditEntry(.notMe, user, origin)),
            .tell(
                try OutboxMessage(.revokeUser, encoding: revocation), about: user.id,
                dueAt: now + OutboxLimits.ownAttemptSeconds),
        ]
    }

    private func formSecret(of link: LinkSecret) -> String {
        Base64URL.encode(tags.tag("not-me form", callID: "", body: [link.text]).bytes)
    }
}
