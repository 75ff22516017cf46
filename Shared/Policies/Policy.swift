/// The rules of a deployment, read from one file and valid as a whole (design section 6).
///
/// Only `load` and `parse` create a policy, so code that gets one need not check it again.
package struct Policy: Sendable, Equatable {
    /// The policy that applies if `LATCHKEY_POLICY` is not set: a neutral start for one's own app.
    package static let defaultName = "starter"

    /// The file's name without its extension.
    package internal(set) var name: String
    /// The folder of the file, or `nil` if the policy was not read from one.
    package internal(set) var folder: String?
    package internal(set) var issuer = ""
    package internal(set) var audience = ""
    package internal(set) var userIDPrefix = ""
    package internal(set) var defaultRegion: String?
    package internal(set) var profiles: [TokenProfile] = []
    /// The dialects in the order that decides between them; `native` is always among them.
    package internal(set) var dialects: [Dialect] = []
    /// The values of keys that the dialects' own sections lack.
    package internal(set) var otp = OTPPolicy()
    /// Whether codes go to phones; if not, `otp` has no effect.
    package internal(set) var sendsCodes = true
    package internal(set) var countries = CountryRule()
    package internal(set) var attributes: [AttributePolicy] = []
    package internal(set) var deletion = DeletionPolicy()
    package internal(set) var signing = SigningPolicy()
    package internal(set) var audit = AuditPolicy()
    package internal(set) var sessions = SessionPolicy()
    package internal(set) var userHook = UserHookPolicy()
    package internal(set) var messages = MessagePolicy()
    package internal(set) var spend: SpendPolicy?
    package internal(set) var email: EmailPolicy?
    package internal(set) var passwords: PasswordPolicy?
    package internal(set) var apple: IdentityProviderPolicy?
    /// OpenID Connect providers, by name.
    package internal(set) var oidc: [IdentityProviderPolicy] = []
    /// The services whose tokens prove phone numbers, by name.
    package internal(set) var phoneTokens: [PhoneTokenPolicy] = []
    package internal(set) var webRedirects: [String] = []
    /// `nil` if there are no passkeys.
    package internal(set) var passkeys: PasskeyPolicy?
    /// `nil` if there is no second factor.
    package internal(set) var mfa: SecondFactorPolicy?
    package internal(set) var accounts = AccountPolicy()
    package internal(set) var passwordChange = PasswordChangePolicy()
    package internal(set) var reauthentication = ReauthenticationPolicy()
    package internal(set) var identityChange = IdentityChangePolicy()
    package internal(set) var recycledNumbers = RecycledNumberPolicy()
    package internal(set) var anomalies = AnomalyPolicy.off
    package internal(set) var admin = AdminPolicy()
    /// `nil` if it comes from `LATCHKEY_PUBLIC_URL`, or is unknown.
    package internal(set) var publicURL: PublicURL?
    package internal(set) var apps = AppsPolicy()
    package internal(set) var edge = EdgePolicy()
    /// `nil` if the gateway allows nothing to pages of other origins and passes on the upstreams' own CORS fields.
    package internal(set) var crossOrigin: CrossOriginPolicy?
    package internal(set) var cookies = CookiePolicy()
    package internal(set) var web = WebPolicy()
    package internal(set) var trustedProxies: [CIDR] = []
    package internal(set) var tracing = TracingPolicy()
    /// The servers of the app's API, by name.
    package internal(set) var upstreams: [String: Upstream] = [:]
    package internal(set) var routes: [Route] = []

    /// - Parameter appName: The app's name if the file has none; `nil` for the default.
    init(name: String, appName: String? = nil, reading section: PolicySection) {
        self.init(unread: name, appName: appName)
        Self.keys.read(section, into: &self)
        check(section)
    }

    /// A policy before its file is read, which has the defaults.
    init(unread name: String, appName: String? = nil) {
        self.name = name
        if let appName { messages.appName = appName }
    }

    /// The profile of sessions that begin in `dialect`, if the dialect is on.
    package func profile(forDialect dialect: String) -> TokenProfile? {
        dialects.first { $0.name == dialect }.flatMap { profile(named: $0.profile) }
    }

    /// Whether mail goes out: codes and links, or what accounts with a password need.
    package var sendsMail: Bool { email != nil || passwords != nil }

    /// Whether users without an email address get notices of changes as text messages, whose texts are those of `messages.texts`.
    package var sendsTextNotices: Bool { sendsCodes && showsTexts }

    /// Whether users get notices of changes, by mail or as text messages.
    package var sendsNoticesOfChanges: Bool { sendsMail || sendsTextNotices }

    /// Whether mails, text messages or pages have texts of the folder `messages.texts`.
    package var showsTexts: Bool { sendsMail || !messages.smsLocales.isEmpty || deletion.page || returnsByPage }

    /// Whether mails go out whose link confirms a registration without the password.
    package var confirmsByLink: Bool { passwords != nil && dialects.contains(where: \.confirmsByLink) }

    /// The members of users that profiles map to claims, each once, in the order of the file.
    ///
    /// Attributes that users set themselves come last: what a user writes must not take the room of a value that restricts them.
    package var claimSources: [ClaimSource] {
        let written = Set(attributes.filter { $0.setBy == .user }.map { ClaimSource.attribute($0.name) })
        let sources = profiles.flatMap(\.mappedClaims).map(\.source)
        return (sources.filter { !written.contains($0) } + sources.filter(written.contains)).reduce(into: []) {
            if !$0.contains($1) { $0.append($1) }
        }
    }

    package func profile(named name: String) -> TokenProfile? { profiles.first { $0.name == name } }
}
