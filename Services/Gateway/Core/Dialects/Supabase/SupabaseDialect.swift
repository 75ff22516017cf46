import EdgeHTTP
import Policies

/// Supabase Auth's API, as its client libraries call it: below `/auth/v1`, and at a host of its own at the bare paths too.
struct SupabaseDialect: Dialect {
    let name = Policies.Dialect.supabase
    /// The facts of the policy that responses of this dialect show.
    var facts = SupabaseFacts()
    /// The sign-in in a browser.
    var browser = SupabaseBrowser()
    /// Whether it refuses requests at `/token`, where a client signs out at a 429.
    var isAtToken = false

    var rows: [DialectRow] {
        (signInRows + mailRows + ownUserRows + administrationRows + keyRows + refusedRows)
            .filter { facts.hasHost || !$0.isAtHostOnly }
    }

    /// JavaScript reads the code of an error only if it can read the version.
    let exposedHeaders = ["X-Total-Count", "Link", SupabaseError.version.0, "x-sb-error-code", "Retry-After"]
    let allowedHeaders = [
        "Accept", "Authorization", "Content-Type", "apikey", "X-Client-Info", "X-Client-IP", "X-JWT-AUD",
        SupabaseError.version.0,
    ]

    func reply(to refusal: Refusal) -> Reply { SupabaseError(refusal, isAtToken: isAtToken).reply }
}

/// The facts of a policy that the dialect `supabase` needs.
struct SupabaseFacts: Sendable {
    /// The begin of users' ids, which their UUIDs do not have.
    var userIDPrefix = ""
    /// The `iss` of its tokens: the URL of `/auth/v1`.
    var issuer = ""
    /// The signature of its access tokens.
    var algorithm = "ES256"
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

extension SupabaseFacts {
    /// - Parameter sendsMail: whether codes go to email addresses.
    init(_ policy: Policy, sendsMail: Bool) {
        guard let entry = policy.dialects.first(where: { $0.name == Policies.Dialect.supabase }),
            let profile = policy.profile(named: entry.profile)
        else {
            self.init()
            return
        }
        self.init(
            userIDPrefix: policy.userIDPrefix, issuer: policy.issuer(of: profile), algorithm: profile.algorithm,
            hasHost: entry.host != nil, sendsCodes: policy.sendsCodes, sendsMail: sendsMail,
            hasPasswords: policy.passwords != nil, providers: policy.identityProviders.map(\.name),
            webRedirects: policy.webRedirects)
    }
}
