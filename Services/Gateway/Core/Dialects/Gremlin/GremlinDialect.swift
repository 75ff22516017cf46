import EdgeHTTP
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
    }

    private var ownRows: [DialectRow] {
        [
            DialectRow(.post, "/api/auth/refresh", .open, answer: refresh),
            // Open, since it must work with a token that has expired or is revoked.
            DialectRow(.post, "/api/auth/sign-out", .open, answer: signOut),
            DialectRow(.get, "/api/admin/users", .bearer, answer: listUsers),
        ]
    }
}
