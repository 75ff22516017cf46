import AuthAPI
import EdgeHTTP
import InternalAPI
import Policies

/// uta's API, as its document prints it: the native API's sign-in by email address and password, in sessions of its own, and a
/// registration that its link confirms without the password.
struct UtaDialect: Dialect {
    let name = Policies.Dialect.uta
    private let native: NativeDialect

    /// - Parameter passwords: the rules of passwords; `nil` if users have none.
    init(attributes: NativeAttributes = NativeAttributes(declared: []), passwords: NativePasswords? = nil) {
        var passwords = passwords
        passwords?.linkSuffices = true
        native = NativeDialect(name: name, attributes: attributes, passwords: passwords)
    }

    var rows: [DialectRow] {
        (native.passwords == nil ? [] : native.passwordRows) + [
            DialectRow(.post, "/auth/refresh", .open, answer: refresh)
                .documented(
                    .sessions, "Rotates the refresh token; each token has two names",
                    takes: .optionalJSON(RefreshBody.self),
                    .json(UtaTokens.self), refusals: Refusal.refresh),
            native.logOutRow,
            DialectRow(.get, "/auth/me", .bearer, answer: native.readProfile)
                .documented(
                    .user, "Returns the user", .json(UserProfile.self), refusals: UserOperations.readProfile.refusals),
            DialectRow(.patch, "/auth/profile", .bearer, answer: changeProfile)
                .documented(
                    .user, "Changes a part of the profile; id and email only to what they are",
                    takes: .json(NativeAttributes.change), .json(UserProfile.self),
                    refusals: UserOperations.updateProfile.refusals + [.notAssignable]),
        ]
    }

    func reply(to refusal: Refusal) -> Reply { native.reply(to: refusal) }

    /// `POST /auth/refresh`: rotates the refresh token as the native row does, and returns the tokens under the names of a login
    /// too.
    @Sendable private func refresh(_ request: ClientRequest, _ useCases: UseCases) async throws(Refusal) -> Reply {
        let issued = request.issued(try await request.refresh(useCases))
        return .json(UtaTokens(TokenReply(issued.tokens)), headers: issued.cookies)
    }

    /// `PATCH /auth/profile`: changes a part of the profile. `id` and `email` may be sent too, but only with the bearer's own
    /// values.
    @Sendable private func changeProfile(
        _ request: ClientRequest, _ useCases: UseCases
    ) async throws(Refusal) -> Reply {
        let asked = try request.json.members { members in
            (
                id: try members.decodeIfPresent(String.self, forKey: MemberName("id")),
                email: try members.decodeIfPresent(String.self, forKey: MemberName("email")),
                update: try native.attributes.update(members)
            )
        }
        let call = ClientCall(request)
        if asked.id != nil || asked.email != nil {
            let own = try await useCases.profile.read(call)
            let isOwnAddress = asked.email.map { $0.lowercased() == own.email } ?? true
            guard asked.id ?? own.id == own.id, isOwnAddress else { throw .notAssignable }
        }
        return .json(native.attributes.profile(try await useCases.profile.change(asked.update, call)))
    }
}
