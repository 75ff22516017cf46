import AuthAPI
import EdgeHTTP
import InternalAPI
import Policies

/// gremlin's API, as its document prints it, at its own paths and at those of the Better Auth service that it refers to: sign-in by
/// a password, bearer tokens, and a list of users for administrators.
struct GremlinDialect: Dialect {
    let name = Policies.Dialect.gremlin
    /// Whether people have passwords.
    var hasPasswords = true

    var rows: [DialectRow] { (hasPasswords ? signInRows : []) + ownRows }

    private var signInRows: [DialectRow] {
        [
            DialectRow(.post, "/api/auth/sign-in-email", .open, counting: .refused, answer: signIn),
            DialectRow(.post, "/api/auth/sign-in/email", .open, counting: .refused, answer: signIn),
        ]
        .map {
            $0.documented(
                .passwords, "Signs in with a password", takes: .json(LoginBody.self), .json(GremlinSignIn.self),
                refusals: Refusal.signInByPassword)
        }
    }

    private var ownRows: [DialectRow] {
        [
            DialectRow(.post, "/api/auth/refresh", .open, answer: refresh)
                .documented(
                    .sessions, "Rotates the refresh token", takes: .optionalJSON(RefreshBody.self),
                    .json(GremlinRefresh.self), refusals: Refusal.refresh),
            // Open, since it must work with a token that has expired or is revoked.
            DialectRow(.post, "/api/auth/sign-out", .open, answer: signOut)
                .documented(
                    .sessions, "Revokes the session of the bearer, or of a refresh token",
                    takes: .optionalJSON(SignOutBody.self), .json(SuccessReply.self), refusals: Refusal.logOut),
            DialectRow(.get, "/api/admin/users", .bearer, answer: listUsers)
                .documented(
                    .user, "Lists the users, newest first, for users with the role of an administrator",
                    takes: .query([], optional: ["limit", "cursor"]), .json(GremlinUsers.self),
                    refusals: UserOperations.listAsAdmin.refusals + [.invalid(member: "limit")]),
        ]
    }
}
