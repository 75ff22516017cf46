import AuthAPI
import EdgeHTTP
import Policies

/// voltyks' API, as its document prints it: sign-in by a password, a refresh with the token as bearer, and paths that ignore case.
struct VoltyksDialect: Dialect {
    let name = Policies.Dialect.voltyks
    /// Any body but a problem signs its phones out.
    let needsOwnRefusals = true
    /// Whether people have passwords.
    var hasPasswords = true

    var rows: [DialectRow] {
        let logInRow = DialectRow(
            .post, "/api/Auth/Login", .open, counting: .refused, ignoresCase: true, answer: logIn
        )
        .documented(
            .passwords, "Signs in with a password", takes: .json(LoginBody.self), .json(VoltyksTokens.shape(.login)),
            refusals: Refusal.signInByPassword.filter { $0 != .accountInactive })
        return (hasPasswords ? [logInRow] : []) + [
            DialectRow(.post, "/api/Auth/RefreshToken", .open, ignoresCase: true, answer: refresh)
                .documented(
                    .sessions, "Rotates the refresh token, which is sent as the bearer token",
                    .json(VoltyksTokens.shape(.refresh)), refusals: Refusal.refresh.filter { $0 != .accountInactive })
        ]
    }
}
