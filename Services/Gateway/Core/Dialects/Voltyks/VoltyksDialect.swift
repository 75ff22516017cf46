import EdgeHTTP
import Policies

/// voltyks' API, as its document prints it: sign-in by a password, a refresh whose token comes as bearer, paths without case.
struct VoltyksDialect: Dialect {
    let name = Policies.Dialect.voltyks
    /// Whether people have passwords.
    var hasPasswords = true

    var rows: [DialectRow] {
        let logInRow = DialectRow(
            .post, "/api/Auth/Login", .open, counting: .refused, ignoresCase: true, answer: logIn)
        return (hasPasswords ? [logInRow] : []) + [
            DialectRow(.post, "/api/Auth/RefreshToken", .open, ignoresCase: true, answer: refresh)
        ]
    }
}
