import EdgeHTTP
import Policies

/// Supabase Auth's API, as its client libraries call it: below `/auth/v1`, and at a host of its own at the bare paths too.
struct SupabaseDialect: Dialect {
    let name = Policies.Dialect.supabase
    /// What the policy says that responses of this dialect show.
    var facts = SupabaseFacts()
    /// Whether it refuses requests at `/token`, where a client signs out at a 429.
    var isAtToken = false

    var rows: [DialectRow] {
        signInRows + mailRows + ownUserRows + administrationRows + keyRows + refusedRows
    }

    func reply(to refusal: Refusal) -> Reply { SupabaseError(refusal, isAtToken: isAtToken).reply }
}

/// The facts of a policy that the dialect `supabase` needs.
struct SupabaseFacts: Sendable {
    /// The begin of users' ids, which their UUIDs do not have.
    var userIDPrefix = ""
    /// The URL below which clients have `/auth/v1`; empty if it is unknown.
    var publicURL = ""
    /// Whether the dialect has a host of its own.
    var hasHost = false
    var sendsCodes = true
    var sendsMail = true
    var hasPasswords = true
    /// The providers whose identity tokens sign in.
    var providers: [String] = []
    /// The app's web addresses to which a browser may return, the default one first.
    var webRedirects: [String] = []
}
