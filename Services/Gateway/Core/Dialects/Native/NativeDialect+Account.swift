import AuthAPI
import EdgeHTTP

/// The bearer's profile and sessions.
extension NativeDialect {
    /// `GET /users/me`
    @Sendable func readProfile(_ request: ClientRequest, _ useCases: UseCases) async throws(Refusal) -> Reply {
        .json(ShownProfile(try await useCases.profile.read(ClientCall(request)), attributes))
    }

    /// `PATCH /users/me`
    @Sendable func changeProfile(
        _ request: ClientRequest, _ useCases: UseCases
    ) async throws(Refusal) -> Reply {
        try Self.requireNoIdentity(in: request.json)
        let update = try request.json.members(attributes.updateWithMetadata)
        return .json(ShownProfile(try await useCases.profile.change(update, ClientCall(request)), attributes))
    }

    /// `DELETE /users/me`, with `{"password": …}` or without a body
    @Sendable func deleteAccount(
        _ request: ClientRequest, _ useCases: UseCases
    ) async throws(Refusal) -> Reply {
        let call = ClientCall(request)
        let body = try request.json.decodeIfSent(DeletionBody.self)
        if let password = body?.password {
            do throws(Refusal) {
                try await useCases.accounts.delete(password: password, call)
                return Self.accountGivenUp
            } catch {
                // If the user has no password, or the policy has none at all, none is needed.
                guard error == .noPassword || error == .notFound else { throw error }
            }
        }
        try await useCases.profile.delete(call)
        return Self.accountGivenUp
    }

    /// `GET /users/me/export?cursor=`
    @Sendable func exportData(_ request: ClientRequest, _ useCases: UseCases) async throws(Refusal) -> Reply {
        let form: FormBody
        do throws(FormBody.Refusal) { form = try FormBody(Array((request.head.query ?? "").utf8)) } catch {
            throw .invalid(member: "query")
        }
        return .json(try await useCases.profile.export(behind: form["cursor"], ClientCall(request)))
    }

    static let accountGivenUp = Reply.json(
        SuccessReply(message: "Account scheduled for deletion. All sessions have been logged out."))

    /// `GET /sessions`: lists the bearer's sessions.
    @Sendable func listSessions(
        _ request: ClientRequest, _ useCases: UseCases
    ) async throws(Refusal) -> Reply {
        .json(try await useCases.sessions.list(ClientCall(request)))
    }

    /// `DELETE /sessions/{id}`: revokes one of the bearer's own sessions.
    @Sendable func endSession(_ request: ClientRequest, _ useCases: UseCases) async throws(Refusal) -> Reply {
        let id = String(request.head.pathText.split(separator: "/").last ?? "")
        try await useCases.sessions.end(id, ClientCall(request))
        return .json(SuccessReply())
    }

    /// `DELETE /sessions`: revokes all of the bearer's sessions except the one of this request.
    @Sendable func endOtherSessions(
        _ request: ClientRequest, _ useCases: UseCases
    ) async throws(Refusal) -> Reply {
        try await useCases.sessions.endOthers(ClientCall(request))
        return .json(SuccessReply())
    }
}
