import AuthAPI
import EdgeHTTP
import InternalAPI

/// The users, for administrators.
extension NativeDialect {
    private static let pageUsual = 50

    /// The rows that exist if the policy has an API for administrators.
    var administrationRows: [DialectRow] {
        [
            DialectRow(.get, "/admin/users", .bearer, answer: searchUsers).forAdministrators
                .documented(
                    .administration, "Finds users, or lists them, newest first",
                    takes: .query([], optional: ["search", "changedSince", "limit", "cursor"]),
                    .json(AdminUserPage.self), refusals: AdminOperations.search.refusals),
            DialectRow(.get, "/admin/users/*", .bearer, answer: readUser).forAdministrators
                .documented(
                    .administration, "Returns a user", .json(AdminUser.self),
                    refusals: AdminOperations.read.refusals),
            DialectRow(.patch, "/admin/users/*", .bearer, answer: changeUser).forAdministrators
                .documented(
                    .administration, "Changes the role, the name or the metadata, deactivates or activates",
                    takes: .json(AdminChange.shape), .json(AdminUser.self), refusals: AdminOperations.change.refusals),
            DialectRow(.delete, "/admin/users/*", .bearer, answer: deleteUser).forAdministrators
                .documented(
                    .administration, "Signs the user out and schedules their removal", .json(AdminDeletion.self),
                    refusals: AdminOperations.change.refusals),
            administration(.post, "/admin/users/*/restore", "Cancels a removal that is scheduled", restoreUser),
            DialectRow(.get, "/admin/users/*/sessions", .bearer, answer: listUserSessions).forAdministrators
                .documented(
                    .administration, "Lists a user's sessions, newest first", .json(SessionList.self),
                    refusals: AdminOperations.sessions.refusals),
            DialectRow(.delete, "/admin/users/*/sessions", .bearer, answer: endUserSessions).forAdministrators
                .documented(
                    .administration, "Revokes all sessions of a user", .json(AdminEndedSessions.self),
                    refusals: AdminOperations.endSessions.refusals),
            DialectRow(.delete, "/admin/users/*/sessions/*", .bearer, answer: endUserSessions).forAdministrators
                .documented(
                    .administration, "Revokes one session of a user", .json(AdminEndedSessions.self),
                    refusals: AdminOperations.endSessions.refusals),
            DialectRow(.post, "/admin/users/*/replace-phone", .bearer, answer: replacePhone).forAdministrators
                .documented(
                    .administration, "Begins to replace a lost phone number, whose new owner then signs in with it",
                    takes: .json(AdminPhone.self), .json(SuccessReply.self),
                    refusals: AdminOperations.replacePhone.refusals),
            administration(
                .delete, "/admin/users/*/replace-phone", "Ends the replacement of a phone number", endReplacement),
            DialectRow(.post, "/admin/invitations", .bearer, answer: inviteUser).forAdministrators
                .documented(
                    .administration, "Invites a person, who becomes a user at the first sign-in",
                    takes: .json(AdminInvitation.self), .json(AdminInvited.self),
                    // An invitation concerns no user, and so no version.
                    refusals: AdminOperations.invite.refusals.filter { $0 != .versionMismatch }),
            DialectRow(.get, "/admin/reviews", .bearer, answer: listReviews).forAdministrators
                .documented(
                    .administration, "Lists the accounts under review", takes: .query([], optional: ["cursor"]),
                    .json(AdminReviewPage.self), refusals: AdminOperations.reviews.refusals),
            DialectRow(.post, "/admin/reviews/*", .bearer, answer: decideReview).forAdministrators
                .documented(
                    .administration, "Ends the review of an account, or deactivates the account",
                    takes: .json(AdminReviewDecision.self), .json(SuccessReply.self),
                    refusals: AdminOperations.change.refusals),
        ]
    }

    /// A row that takes nothing and returns nothing.
    private func administration(
        _ method: HTTPMethod, _ path: StaticString, _ summary: String,
        _ answer: @escaping @Sendable (AdministerUsers, String, AdminCall) async throws(Refusal) -> Void
    ) -> DialectRow {
        DialectRow(method, path, .bearer) { request, useCases throws(Refusal) in
            try await answer(useCases.administration, try Self.user(of: request), AdminCall(request))
            return .json(SuccessReply())
        }
        .forAdministrators
        .documented(.administration, summary, .json(SuccessReply.self), refusals: AdminOperations.restore.refusals)
    }

    /// `GET /admin/users?search=&changedSince=&limit=&cursor=`
    @Sendable func searchUsers(_ request: ClientRequest, _ useCases: UseCases) async throws(Refusal) -> Reply {
        let form = try Self.query(of: request)
        guard (form["cursor"]?.utf8.count ?? 0) <= AdministerUsers.idLengthMax else { throw .invalid(member: "cursor") }
        let search = SearchUsersRequest(
            limit: try Self.number("limit", in: form).map(Int.init(clamping:)) ?? Self.pageUsual,
            cursor: form["cursor"], search: form["search"].map(Self.searched),
            changedSince: try Self.number("changedSince", in: form))
        return .json(AdminUserPage(try await useCases.administration.search(search, AdminCall(request))))
    }

    /// `GET /admin/users/{id}`
    @Sendable func readUser(_ request: ClientRequest, _ useCases: UseCases) async throws(Refusal) -> Reply {
        .user(try await useCases.administration.read(Self.user(of: request), AdminCall(request)))
    }

    /// `PATCH /admin/users/{id}`
    @Sendable func changeUser(_ request: ClientRequest, _ useCases: UseCases) async throws(Refusal) -> Reply {
        let body = try request.json.decode(AdminChange.self)
        let change = ChangeUserRequest(
            userID: try Self.user(of: request), role: body.role, isActive: body.isActive, name: body.name,
            appPatch: body.appPatch)
        return .user(try await useCases.administration.change(change, AdminCall(request)))
    }

    /// `DELETE /admin/users/{id}`
    @Sendable func deleteUser(_ request: ClientRequest, _ useCases: UseCases) async throws(Refusal) -> Reply {
        let dueAt = try await useCases.administration.delete(Self.user(of: request), AdminCall(request))
        return .json(AdminDeletion(deletionDueAt: dueAt))
    }

    /// `GET /admin/users/{id}/sessions`
    @Sendable func listUserSessions(_ request: ClientRequest, _ useCases: UseCases) async throws(Refusal) -> Reply {
        .json(try await useCases.administration.sessions(of: Self.user(of: request), AdminCall(request)))
    }

    /// `DELETE /admin/users/{id}/sessions`, and `…/sessions/{session}`
    @Sendable func endUserSessions(_ request: ClientRequest, _ useCases: UseCases) async throws(Refusal) -> Reply {
        let session = Self.segment(4, of: request)
        guard (session?.utf8.count ?? 0) <= AdministerUsers.idLengthMax else { throw .noSuchSession }
        let ended = try await useCases.administration.endSessions(
            of: Self.user(of: request), session: session, AdminCall(request))
        return .json(AdminEndedSessions(endedCount: ended.endedCount))
    }

    /// `POST /admin/users/{id}/replace-phone`
    @Sendable func replacePhone(_ request: ClientRequest, _ useCases: UseCases) async throws(Refusal) -> Reply {
        let body = try request.json.decode(AdminPhone.self)
        try await useCases.administration.replacePhone(
            of: Self.user(of: request), with: body.phoneNumber, AdminCall(request))
        return .json(SuccessReply())
    }

    /// `POST /admin/invitations`
    @Sendable func inviteUser(_ request: ClientRequest, _ useCases: UseCases) async throws(Refusal) -> Reply {
        let body = try request.json.decode(AdminInvitation.self)
        let invited = try await useCases.administration.invite(
            InviteRequest(to: body.to, role: body.role), AdminCall(request))
        return .json(AdminInvited(expiresAt: invited.expiresAt, isMailed: invited.isMailed))
    }

    /// `GET /admin/reviews?cursor=`
    @Sendable func listReviews(_ request: ClientRequest, _ useCases: UseCases) async throws(Refusal) -> Reply {
        let cursor = try Self.query(of: request)["cursor"]
        guard (cursor?.utf8.count ?? 0) <= AdministerUsers.idLengthMax else { throw .invalid(member: "cursor") }
        return .json(AdminReviewPage(try await useCases.administration.reviews(behind: cursor, AdminCall(request))))
    }

    /// `POST /admin/reviews/{id}`
    @Sendable func decideReview(_ request: ClientRequest, _ useCases: UseCases) async throws(Refusal) -> Reply {
        let (body, id) = (try request.json.decode(AdminReviewDecision.self), try Self.user(of: request))
        let (users, call) = (useCases.administration, try AdminCall(request))
        switch body.decision {
        case .clear: try await users.clearReview(of: id, call)
        case .block: _ = try await users.change(ChangeUserRequest(userID: id, isActive: false), call)
        }
        return .json(SuccessReply())
    }

    @Sendable private func restoreUser(
        _ users: AdministerUsers, _ id: String, _ call: AdminCall
    ) async throws(Refusal) { try await users.restore(id, call) }

    @Sendable private func endReplacement(
        _ users: AdministerUsers, _ id: String, _ call: AdminCall
    ) async throws(Refusal) { try await users.replacePhone(of: id, with: nil, call) }

    private static func query(of request: ClientRequest) throws(Refusal) -> FormBody {
        do throws(FormBody.Refusal) { return try FormBody(Array((request.head.query ?? "").utf8)) } catch {
            throw .invalid(member: "query")
        }
    }

    /// The id of the user in the path.
    private static func user(of request: ClientRequest) throws(Refusal) -> String {
        guard let id = segment(2, of: request), id.utf8.count <= AdministerUsers.idLengthMax else { throw .noSuchUser }
        return id
    }

    /// The segment of the path at an index, or `nil` if the path is shorter.
    private static func segment(_ index: Int, of request: ClientRequest) -> String? {
        request.head.pathText.split(separator: "/").dropFirst(index).first.map(String.init)
    }

    /// A `+` that was not escaped is a space in a form.
    private static func searched(_ text: String) -> String { text.hasPrefix(" ") ? "+" + text.dropFirst() : text }

    /// Reads a field of digits, or returns `nil` if there is none.
    private static func number(_ name: String, in form: FormBody) throws(Refusal) -> Int64? {
        guard let text = form[name] else { return nil }
        guard text.utf8.count <= 15, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int64(text)
        else { throw .invalid(member: name) }
        return number
    }
}

extension Reply {
    /// A user, with their version for `If-Match`.
    fileprivate static func user(_ user: UserSummary) -> Reply {
        .json(AdminUser(user), headers: user.version.map { [("ETag", "\"\($0)\"")] } ?? [])
    }
}
