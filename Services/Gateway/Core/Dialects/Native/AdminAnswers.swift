import AuthAPI
import EdgeHTTP
import InternalAPI

/// Decodes the requests of administrators, and encodes what comes of them.
enum AdminAnswers {
    private static let pageUsual = 50

    /// `GET /admin/users?search=&changedSince=&limit=&cursor=`
    static func search(
        _ users: AdministerUsers, _ request: ClientRequest, _ call: AdminCall
    ) async throws(Refusal) -> AdminUserPage {
        let form = try query(of: request)
        let search = SearchUsersRequest(
            limit: try limit(in: form), cursor: try cursor(in: form), search: form["search"].map(searched),
            changedSince: try number("changedSince", in: form))
        return AdminUserPage(try await users.search(search, call))
    }

    /// `GET /admin/users/{id}`
    static func read(
        _ users: AdministerUsers, _ request: ClientRequest, _ call: AdminCall
    ) async throws(Refusal) -> AdminUser { AdminUser(try await users.read(user(of: request), call)) }

    /// `POST /admin/users`
    static func create(
        _ users: AdministerUsers, _ request: ClientRequest, _ call: AdminCall
    ) async throws(Refusal) -> AdminUser {
        let body = try request.json.decode(AdminCreation.self)
        let user = CreateUserRequest(
            phone: body.phoneNumber, email: body.email, emailVerified: body.emailVerified, name: body.name,
            role: body.role, callID: try call.client.id(AdminOperations.create.path, user: nil))
        return AdminUser(try await users.create(user, call))
    }

    /// `PATCH /admin/users/{id}`
    static func change(
        _ users: AdministerUsers, _ request: ClientRequest, _ call: AdminCall
    ) async throws(Refusal) -> AdminUser {
        let body = try request.json.decode(AdminChange.self)
        let change = ChangeUserRequest(
            userID: try user(of: request), role: body.role, isActive: body.isActive, name: body.name,
            appPatch: body.appPatch)
        return AdminUser(try await users.change(change, call))
    }

    /// `DELETE /admin/users/{id}`
    static func delete(
        _ users: AdministerUsers, _ request: ClientRequest, _ call: AdminCall
    ) async throws(Refusal) -> AdminDeletion {
        AdminDeletion(deletionDueAt: try await users.delete(user(of: request), call))
    }

    /// `POST /admin/users/{id}/restore`
    static func restore(
        _ users: AdministerUsers, _ request: ClientRequest, _ call: AdminCall
    ) async throws(Refusal) -> SuccessReply {
        try await users.restore(user(of: request), call)
        return SuccessReply()
    }

    /// `GET /admin/users/{id}/sessions`
    static func sessions(
        _ users: AdministerUsers, _ request: ClientRequest, _ call: AdminCall
    ) async throws(Refusal) -> SessionList { try await users.sessions(of: user(of: request), call) }

    /// `DELETE /admin/users/{id}/sessions`, and `…/sessions/{session}`
    static func endSessions(
        _ users: AdministerUsers, _ request: ClientRequest, _ call: AdminCall
    ) async throws(Refusal) -> AdminEndedSessions {
        let session = segment(4, of: request)
        guard (session?.utf8.count ?? 0) <= AdministerUsers.idLengthMax else { throw .noSuchSession }
        let ended = try await users.endSessions(of: user(of: request), session: session, call)
        return AdminEndedSessions(endedCount: ended.endedCount)
    }

    /// `POST /admin/users/{id}/act`
    static func act(
        _ users: AdministerUsers, _ request: ClientRequest, _ call: AdminCall
    ) async throws(Refusal) -> ActingToken { try await users.act(as: user(of: request), call) }

    /// `POST /admin/users/{id}/replace-phone`
    static func replacePhone(
        _ users: AdministerUsers, _ request: ClientRequest, _ call: AdminCall
    ) async throws(Refusal) -> SuccessReply {
        let body = try request.json.decode(AdminPhone.self)
        try await users.replacePhone(of: user(of: request), with: body.phoneNumber, call)
        return SuccessReply()
    }

    /// `DELETE /admin/users/{id}/replace-phone`
    static func endReplacement(
        _ users: AdministerUsers, _ request: ClientRequest, _ call: AdminCall
    ) async throws(Refusal) -> SuccessReply {
        try await users.replacePhone(of: user(of: request), with: nil, call)
        return SuccessReply()
    }

    /// `POST /admin/unlock`
    static func unlock(
        _ users: AdministerUsers, _ request: ClientRequest, _ call: AdminCall
    ) async throws(Refusal) -> AdminUnlocked {
        let body = try request.json.decode(AdminPhone.self)
        return AdminUnlocked(wasLocked: try await users.unlock(body.phoneNumber, call))
    }

    /// `POST /admin/invitations`
    static func invite(
        _ users: AdministerUsers, _ request: ClientRequest, _ call: AdminCall
    ) async throws(Refusal) -> AdminInvited {
        let body = try request.json.decode(AdminInvitation.self)
        let callID = try call.client.id(AdminOperations.invite.path, user: nil)
        let invited = try await users.invite(InviteRequest(to: body.to, role: body.role, callID: callID), call)
        return AdminInvited(expiresAt: invited.expiresAt, isMailed: invited.isMailed)
    }

    /// `GET /admin/reviews?cursor=`
    static func reviews(
        _ users: AdministerUsers, _ request: ClientRequest, _ call: AdminCall
    ) async throws(Refusal) -> AdminReviewPage {
        AdminReviewPage(try await users.reviews(behind: cursor(in: query(of: request)), call))
    }

    /// `POST /admin/reviews/{id}`
    static func decideReview(
        _ users: AdministerUsers, _ request: ClientRequest, _ call: AdminCall
    ) async throws(Refusal) -> SuccessReply {
        let (body, id) = (try request.json.decode(AdminReviewDecision.self), try user(of: request))
        switch body.decision {
        case .clear: try await users.clearReview(of: id, call)
        case .block: _ = try await users.change(ChangeUserRequest(userID: id, isActive: false), call)
        }
        return SuccessReply()
    }
}

// MARK: - Paths and queries

extension AdminAnswers {
    static func query(of request: ClientRequest) throws(Refusal) -> FormBody {
        do throws(FormBody.Refusal) { return try FormBody(Array((request.head.query ?? "").utf8)) } catch {
            throw .invalid(member: "query")
        }
    }

    /// The id of the user in the path.
    static func user(of request: ClientRequest) throws(Refusal) -> String {
        guard let id = segment(2, of: request), id.utf8.count <= AdministerUsers.idLengthMax else { throw .noSuchUser }
        return id
    }

    static func limit(in form: FormBody) throws(Refusal) -> Int {
        try number("limit", in: form).map(Int.init(clamping:)) ?? pageUsual
    }

    static func cursor(in form: FormBody) throws(Refusal) -> String? {
        guard (form["cursor"]?.utf8.count ?? 0) <= AdministerUsers.idLengthMax else { throw .invalid(member: "cursor") }
        return form["cursor"]
    }

    /// Reads a field of digits, or returns `nil` if there is none.
    static func number(_ name: String, in form: FormBody) throws(Refusal) -> Int64? {
        guard let text = form[name] else { return nil }
        guard text.utf8.count <= 15, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int64(text)
        else { throw .invalid(member: name) }
        return number
    }

    /// The segment of the path at an index, or `nil` if the path is shorter.
    private static func segment(_ index: Int, of request: ClientRequest) -> String? {
        request.head.pathText.split(separator: "/").dropFirst(index).first.map(String.init)
    }

    /// A `+` that was not escaped is a space in a form.
    static func searched(_ text: String) -> String { text.hasPrefix(" ") ? "+" + text.dropFirst() : text }
}
