/// The rules of a deployment, read from one file and valid as a whole (design section 6).
///
/// Only `load` and `parse` create a policy, so code that gets one need not check it again.
package struct Policy: Sendable, Equatable {
    /// The policy that applies if `LATCHKEY_POLICY` is not set: a neutral start for one's own app.
    package static let defaultName = "starter"

    /// The file's name without its extension.
    package let name: String
    /// The folder of the file, or `nil` if the policy was not read from one.
    package internal(set) var folder: String?
    package let issuer: String
    package let audience: String
    /// The text before the hex digits of a user's UUID, e.g. `usr_`; it never changes once users exist.
    package let userIDPrefix: String
    /// The region of national phone numbers without one of their own (ISO 3166-1, e.g. `US`); `nil` if they are refused.
    package let defaultRegion: String?
    package let profiles: [TokenProfile]
    /// The dialects in the order that decides between them; `native` is always among them.
    package let dialects: [Dialect]
    /// The values of keys that the dialects' own sections lack.
    package let otp: OTPPolicy
    /// Whether codes go to phones; if not, `otp` has no effect.
    package let sendsCodes: Bool
    package let countries: CountryRule
    /// The members of users in addition to those of all deployments.
    package let attributes: [AttributePolicy]
    package let deletion: DeletionPolicy
    package let signing: SigningPolicy
    package let audit: AuditPolicy
    package let sessions: SessionPolicy
    package let messages: MessagePolicy
    /// `nil` if only the numbers of messages bound their cost.
    package let spend: SpendPolicy?
    /// `nil` if users cannot sign in by mail.
    package let email: EmailPolicy?
    /// `nil` if users have no passwords.
    package let passwords: PasswordPolicy?
    /// Apple, or `nil` if users cannot sign in with it.
    package let apple: IdentityProviderPolicy?
    /// OpenID Connect providers, by name.
    package let oidc: [IdentityProviderPolicy]
    /// The services whose tokens prove phone numbers, by name; empty if none signs in.
    package let phoneTokens: [PhoneTokenPolicy]
    /// The addresses of the app to which sign-ins in a browser return, compared byte by byte; empty if there are none.
    package let webRedirects: [String]
    package let accounts: AccountPolicy
    package let passwordChange: PasswordChangePolicy
    /// `nil` if it comes from `LATCHKEY_PUBLIC_URL`, or is unknown.
    package let publicURL: PublicURL?
    package let apps: AppsPolicy
    package let edge: EdgePolicy
    /// `nil` if the gateway allows nothing to pages of other origins and passes on the upstreams' own CORS fields.
    package let crossOrigin: CrossOriginPolicy?
    package let cookies: CookiePolicy
    package let web: WebPolicy
    /// The proxies in front of the gateway whose `X-Forwarded-For` is trusted.
    package let trustedProxies: [CIDR]
    /// The base URLs of the app's API by name; `nil` if one comes from `LATCHKEY_UPSTREAM`.
    package let upstreams: [String: String?]
    /// The routes; the first one that fits a request applies.
    package let routes: [Route]

    /// The profile of sessions that begin in `dialect`, if the dialect is on.
    package func profile(forDialect dialect: String) -> TokenProfile? {
        dialects.first { $0.name == dialect }.flatMap { profile(named: $0.profile) }
    }

    /// Whether mail goes out: codes and links, or what accounts with a password need.
    package var sendsMail: Bool { email != nil || passwords != nil }

    /// Whether mails, text messages or pages have texts of the folder `messages.texts`.
    package var showsTexts: Bool { sendsMail || !messages.smsLocales.isEmpty || deletion.page || returnsByPage }

    /// Whether mails go out whose link confirms a registration without the password.
    package var confirmsByLink: Bool { passwords != nil && dialects.contains(where: \.confirmsByLink) }

    package func profile(named name: String) -> TokenProfile? { profiles.first { $0.name == name } }
}

extension Policy {
    /// The root of the file:
    /// - `issuer`, `audience` text of 1 to 256 visible ASCII characters, required
    /// - `userIDPrefix` text of at most 16 of `A-Z a-z 0-9 _ -`, default empty
    /// - `defaultRegion` two capital letters of a known region, default none
    /// - `profiles` section with 1 to 16 entries, see `TokenProfile`, required
    /// - `dialects` list of 1 to 8, native among them, see `Dialect`, required
    /// - `otp` section, or none, see `OTPPolicy`; if none, no codes go to phones and `countries` may be missing
    /// - `countries` (required), `deletion`, `signing`, `audit`, `sessions`, `messages`, `apps`, `edge` sections, see their
    ///   types
    /// - `attributes` list of at most 16, see `AttributePolicy`, default empty
    /// - `email` section, or none, see `EmailPolicy`, default none
    /// - `passwords` section, or none, see `PasswordPolicy`, default none
    /// - `apple`, `oidc` sections, or none, see `IdentityProviderPolicy`, default none
    /// - `phoneTokens` section, or none, see `PhoneTokenPolicy`, default none
    /// - `webRedirects` list of 1 to 32 addresses, https or of an app's own scheme with a dot, default none
    /// - `accounts`, `passwordChange` sections, see `AccountPolicy` and `PasswordChangePolicy`
    /// - `spend` section, or none, see `SpendPolicy`, default none
    /// - `publicURL` https://host, with a port and a path at most; http for local addresses outside production; default none
    /// - `cors` section, or none, see `CrossOriginPolicy`, default none
    /// - `cookies`, `web` sections, see `CookiePolicy` and `WebPolicy`
    /// - `trustedProxies` list of at most 64 address blocks such as 10.0.0.0/8, default empty
    /// - `upstreams` section of at most 64 names, see `UpstreamAddress`, default empty
    /// - `routes` list of at most 512, see `Route`, default empty
    ///
    /// - Parameter appName: The app's name if the file has none; `nil` for the default.
    init(name: String, appName: String? = nil, reading section: PolicySection) {
        var draft = PolicyDraft(appName: appName)
        draft.read(section)
        self.init(
            name: name, issuer: draft.issuer, audience: draft.audience, userIDPrefix: draft.userIDPrefix,
            defaultRegion: draft.defaultRegion, profiles: draft.profiles, dialects: draft.dialects, otp: draft.otp,
            sendsCodes: draft.sendsCodes, countries: draft.countries, attributes: draft.attributes,
            deletion: draft.deletion, signing: draft.signing,
            audit: draft.audit,
            sessions: draft.sessions, messages: draft.messages, spend: draft.spend, email: draft.email,
            passwords: draft.passwords, apple: draft.apple, oidc: draft.oidc, phoneTokens: draft.phoneTokens,
            webRedirects: draft.webRedirects, accounts: draft.accounts, passwordChange: draft.passwordChange,
            publicURL: draft.publicURL, apps: draft.apps, edge: draft.edge, crossOrigin: draft.crossOrigin,
            cookies: draft.cookies, web: draft.web,
            trustedProxies: draft.trustedProxies, upstreams: draft.upstreams, routes: draft.routes)
    }
}
