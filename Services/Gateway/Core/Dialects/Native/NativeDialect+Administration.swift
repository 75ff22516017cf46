import AuthAPI
import EdgeHTTP
import InternalAPI

/// The API for administrators.
extension NativeDialect {
    /// The rows that exist if the policy has an API for administrators.
    var administrationRows: [DialectRow] {
        [
            row(
                .get, "/admin/users", "Finds users, or lists them, newest first",
                takes: .query([], optional: ["search", "changedSince", "limit", "cursor"]),
                AdminOperations.search.refusals, AdminAnswers.search),
            row(
                .post, "/admin/users", "Creates a user, whose identities the administrator has checked",
                takes: .json(AdminCreation.self), status: 201, ofNew(AdminOperations.create.refusals),
                AdminAnswers.create),
            row(.get, "/admin/users/*", "Returns a user", AdminOperations.read.refusals, AdminAnswers.read),
            row(
                .patch, "/admin/users/*", "Changes the role, the name or the metadata, deactivates or activates",
                takes: .json(AdminChange.shape), AdminOperations.change.refusals, AdminAnswers.change),
            row(
                .delete, "/admin/users/*", "Signs the user out and schedules their removal",
                AdminOperations.change.refusals, AdminAnswers.delete),
            row(
                .post, "/admin/users/*/restore", "Cancels a removal that is scheduled",
                AdminOperations.restore.refusals, AdminAnswers.restore),
            row(
                .get, "/admin/users/*/sessions", "Lists a user's sessions, newest first",
                AdminOperations.sessions.refusals, AdminAnswers.sessions),
            row(
                .delete, "/admin/users/*/sessions", "Revokes all sessions of a user",
                AdminOperations.endSessions.refusals, AdminAnswers.endSessions),
            row(
                .delete, "/admin/users/*/sessions/*", "Revokes one session of a user",
                AdminOperations.endSessions.refusals, AdminAnswers.endSessions),
            row(
                .post, "/admin/users/*/replace-phone",
                "Begins to replace a lost phone number, whose new owner then signs in with it",
                takes: .json(AdminPhone.self), AdminOperations.replacePhone.refusals, AdminAnswers.replacePhone),
            row(
                .delete, "/admin/users/*/replace-phone", "Ends the replacement of a phone number",
                AdminOperations.restore.refusals, AdminAnswers.endReplacement),
            row(
                .post, "/admin/invitations", "Invites a person, who becomes a user at the first sign-in",
                takes: .json(AdminInvitation.self), ofNew(AdminOperations.invite.refusals), AdminAnswers.invite),
            row(
                .get, "/admin/users/*/story", "Tells what happened to a user, newest first",
                takes: .query([], optional: ["from", "to", "limit", "cursor"]), AdminOperations.story.refusals,
                AdminAnswers.story),
            row(
                .get, "/admin/audit", "Lists the audit records of all services in a period, newest first",
                takes: .query(["from", "to"], optional: ["user", "limit", "cursor"]), AdminOperations.audit.refusals,
                AdminAnswers.audit),
            row(
                .get, "/admin/today", "Tells the state of the deployment, and what is wrong with it",
                AdminOperations.today.refusals, AdminAnswers.today),
            row(
                .get, "/admin/series", "Returns hourly counts of a day, or daily counts of 30 days",
                takes: .query([], optional: ["days"]), AdminOperations.series.refusals, AdminAnswers.series),
            row(
                .get, "/admin/policy", "Tells which policy is in effect, and how it differs from the shipped one",
                AdminOperations.policy.refusals, AdminAnswers.policy),
            row(.get, "/admin/keys", "Lists the signing keys", AdminOperations.keys.refusals, AdminAnswers.keys),
            row(
                .get, "/admin/spend", "Returns what messages cost, and the budgets",
                takes: .query([], optional: ["hours"]), AdminOperations.spend.refusals, AdminAnswers.spend),
            row(
                .get, "/admin/trace", "Tells what happened to messages to a phone number or an email address",
                takes: .query(["to"], optional: ["hours"]), AdminOperations.trace.refusals, AdminAnswers.trace),
            row(
                .post, "/admin/unlock", "Lifts a phone number's lockout and its own limits of codes",
                takes: .json(AdminPhone.self),
                AdminOperations.unlock.refusals.filter { $0 != .versionMismatch }, AdminAnswers.unlock),
            row(
                .get, "/admin/review-access", "Lists the phone numbers with which a store's reviewers sign in",
                takes: .query([], optional: ["phoneNumber"]), AdminOperations.reviewAccess.refusals,
                AdminAnswers.reviewAccess),
            row(
                .post, "/admin/review-access", "Lets a store's reviewers sign in with a phone number by a fixed code",
                takes: .json(AdminReviewOpening.self), AdminOperations.openReviewAccess.refusals,
                AdminAnswers.openReviewAccess),
            row(
                .post, "/admin/review-access/end", "Ends the reviewers' access, and the sessions of its account",
                takes: .json(AdminPhone.self),
                AdminOperations.endReviewAccess.refusals.filter { $0 != .versionMismatch },
                AdminAnswers.endReviewAccess),
            row(
                .get, "/admin/reviews", "Lists the accounts under review",
                takes: .query([], optional: ["cursor"]), AdminOperations.reviews.refusals, AdminAnswers.reviews),
            row(
                .post, "/admin/reviews/*", "Ends the review of an account, or deactivates the account",
                takes: .json(AdminReviewDecision.self), AdminOperations.change.refusals, AdminAnswers.decideReview),
        ]
    }

    /// The row for people who act as users.
    var actingRow: DialectRow {
        row(
            .post, "/admin/users/*/act", "Returns a token with which its holder acts as a user for 15 minutes",
            AdminOperations.act.refusals, AdminAnswers.act)
    }

    /// A row whose answer is documented by its type; a user's has their version for `If-Match`.
    private func row<Answer: Codable & Sendable>(
        _ method: HTTPMethod, _ path: StaticString, _ summary: String,
        takes: @autoclosure @escaping @Sendable () -> APIOperation.Content = .nothing, status: Int = 200,
        _ refusals: @autoclosure @escaping @Sendable () -> [Refusal],
        _ answer: @escaping @Sendable (AdministerUsers, ClientRequest, AdminCall) async throws(Refusal) -> Answer
    ) -> DialectRow {
        DialectRow(method, path, .bearer) { request, useCases throws(Refusal) in
            let answer = try await answer(useCases.administration, request, AdminCall(request))
            let version = (answer as? AdminUser)?.version
            return .json(answer, status: status, headers: version.map { [("ETag", "\"\($0)\"")] } ?? [])
        }
        .forAdministrators
        .documented(
            .administration, summary, takes: takes(), .json(Answer.self), status: status, refusals: refusals())
    }

    /// The refusals of a request that concerns no user, and so no version, and that a repeat with its `Idempotency-Key` does not
    /// make twice.
    private func ofNew(_ refusals: [Refusal]) -> [Refusal] {
        refusals.filter { $0 != .versionMismatch } + [.malformedIdempotencyKey]
    }
}
