extension Policy {
    static let profileCountMax = 16
    static let upstreamCountMax = 64

    /// The keys of a policy file, which also list the values of a policy and make the reference of the format. Keys to which others
    /// refer come before them.
    static let keys: [Key<Self>] = identityKeys + messageKeys + signInKeys + pageKeys + edgeKeys

    private static let identityKeys: [Key<Self>] = [
        Key("issuer", \.issuer, .text(.identifier), "The `iss` claim of tokens.", required: true, example: "my-app"),
        Key(
            "audience", \.audience, .text(.identifier), "The `aud` claim of tokens.", required: true, example: "my-app"),
        Key(
            "userIDPrefix", \.userIDPrefix, .text(.tokenPrefix),
            "The text before the hex digits of a user's id; never change it once users exist."),
        Key(
            "defaultRegion", optional: \.defaultRegion, .text(.region),
            "The region of national phone numbers; without one they are refused.", example: "US"),
        Key(
            "profiles", \.profiles,
            .entries(
                1...profileCountMax, .name, name: \.name, TokenProfile.keys, each: { $1.check($0) },
                item: { TokenProfile(name: $0, algorithm: "") }),
            "The form and lifetimes of tokens. A session keeps the profile of the dialect in which it began.",
            required: true, example: "{ mobile: { algorithm: RS256 } }"),
        Key(
            "otp", \.codes, .orNone(.section(OTPPolicy(), OTPPolicy.keys)),
            "Sign-in by a code sent to a phone. With `none`, the paths of codes are 404, and `countries` may be missing."
        ),
        Key(
            "dialects", \.dialects,
            "APIs that are spoken by the gateway; `native` is always on. If two share a path, the first one listed has it.",
            required: true, example: "[{ name: native, profile: mobile }]"
        ) { policy in
            .sections(
                1...8, Dialect(otp: policy.otp, defaultRegion: policy.defaultRegion), Dialect.keys(of: policy)
            ) { $1.check($0, of: policy, earlier: $2) }
        },
        Key(
            "countries", section: \.countries, CountryRule.keys,
            "The countries to which codes go; required except with `otp: none`.",
            example: "{ allowed: [\"+1\", \"+49\"] }"),
        Key(
            "attributes", \.attributes,
            .sections(0...AttributePolicy.countMax, .unread, AttributePolicy.keys) { $1.check($0, earlier: $2) },
            "Members of users in addition to those that every deployment has."),
        Key(
            "deletion", section: \.deletion, DeletionPolicy.keys,
            "The time between a user's request to be deleted and the removal of the data."),
    ]

    private static let messageKeys: [Key<Self>] = [
        Key("signing", section: \.signing, SigningPolicy.keys, "Rotation and publication of signing keys."),
        Key("audit", section: \.audit, AuditPolicy.keys, "The records of the audit."),
        Key("sessions", section: \.sessions, SessionPolicy.keys, "The sessions of a user."),
        Key(
            "userHook", section: \.userHook, UserHookPolicy.keys,
            "Events to the app's back end, if USER_HOOK_URL is set (docs/app/events.md)."
        ) { $1.check($0) },
        Key("messages", section: \.messages, MessagePolicy.keys, "Messages to people.") { $1.check($0) },
        Key(
            "spend", \.spend, .orNone(.section(SpendPolicy(), SpendPolicy.keys) { $1.check($0) }),
            "The bounds on the cost of messages to phones, in ten-thousandths of the currency's unit; `none`: only their "
                + "number is limited."),
    ]

    private static let signInKeys: [Key<Self>] = [
        Key(
            "email", \.email, .orNone(.section(EmailPolicy(), EmailPolicy.keys)),
            "Sign-in by a mail with a code and a link."),
        Key(
            "passwords", \.passwords, .orNone(.section(PasswordPolicy(), PasswordPolicy.keys)),
            "Accounts with an email address and a password; needs mail and `publicURL`."),
        Key(
            "apple", \.apple,
            .orNone(.section(.appleUnread, IdentityProviderPolicy.appleKeys) { $1.checkApple($0) }),
            "Sign in with Apple (docs/app/providers.md)."),
        Key(
            "oidc", \.oidc,
            .entriesOrNone(
                .entries(
                    1...IdentityProviderPolicy.oidcCountMax, IdentityProviderPolicy.nameRule, name: \.name,
                    IdentityProviderPolicy.oidcKeys, each: { $1.checkOIDC($0) }, all: IdentityProviderPolicy.checkAll,
                    item: { IdentityProviderPolicy(name: $0) })),
            "OpenID Connect providers, by names that you choose and must never change (docs/app/providers.md)."),
        Key(
            "phoneTokens", \.phoneTokens,
            .entriesOrNone(
                .entries(
                    1...PhoneTokenPolicy.countMax, IdentityProviderPolicy.nameRule, name: \.name, PhoneTokenPolicy.keys,
                    each: { $1.check($0) }, all: PhoneTokenPolicy.checkAll, item: PhoneTokenPolicy.unread)),
            "Services whose signed tokens prove phone numbers, by names that you choose (docs/app/phone-tokens.md)."),
        Key(
            "webRedirects", \.webRedirects, .values(1...webRedirectCountMax, .webRedirect),
            "The addresses of the app to which sign-ins in a browser return, compared byte by byte. They need `publicURL` "
                + "or LATCHKEY_PUBLIC_URL.",
            example: "[\"https://app.example.com/signed-in\", \"com.example.app:/signed-in\"]"),
        Key(
            "passkeys", \.passkeys, .orNone(.section(PasskeyPolicy(), PasskeyPolicy.keys)),
            "Sign-in with passkeys, which users add after another sign-in (docs/app/passkeys.md)."),
        Key(
            "mfa", \.mfa, .orNone(.section(SecondFactorPolicy(), SecondFactorPolicy.keys)),
            "A second factor: one-time passwords with recovery codes, or a passkey (docs/app/passkeys.md)."),
    ]

    private static let pageKeys: [Key<Self>] = [
        Key(
            "accounts", section: \.accounts, AccountPolicy.keys,
            "The rules for new users, and for users who were away for long."
        ) { $1.check($0) },
        Key(
            "passwordChange", section: \.passwordChange, PasswordChangePolicy.keys,
            "The sessions that a new password revokes."),
        Key(
            "reauthentication", section: \.reauthentication, ReauthenticationPolicy.keys,
            "Changes for which users show again who they are (docs/app/account.md)."),
        Key(
            "identityChange", section: \.identityChange, IdentityChangePolicy.keys,
            "Changes of phone numbers, email addresses and other identities (docs/app/account.md)."
        ),
        Key(
            "recycledNumbers", section: \.recycledNumbers, RecycledNumberPolicy.keys,
            "Phone numbers that carriers may have given to other people (docs/app/account.md)."),
        Key(
            "anomalies", \.anomalies, .choice,
            "What happens at a sign-in from an unknown device in an unknown network (docs/app/account.md). `off`: devices "
                + "and networks are not recorded; `notify`: the user gets a notice, at most one a day."),
        Key(
            "admin", section: \.admin, AdminPolicy.keys,
            "The API with which administrators manage users, by their own tokens (docs/run/admin-api.md)."),
        Key(
            "publicURL", optional: \.publicURL, .text(PublicURL.rule),
            "The URL at which clients reach the gateway, with which links begin: https, outside production also http on "
                + "local addresses. LATCHKEY_PUBLIC_URL sets it for one deployment. Without it mails have no link, and "
                + "production requires it for mail.",
            example: "https://auth.example.com"),
        Key(
            "apps", section: \.apps, AppsPolicy.keys,
            "The apps that open links and fill in passwords, which phones fetch from /.well-known/, and their look."),
    ]

    private static let edgeKeys: [Key<Self>] = [
        Key(
            "edge", section: \.edge, EdgePolicy.keys,
            "The bounds on requests that clients send to the gateway (docs/reference/edge.md)."),
        Key(
            "cors", \.crossOrigin, .orNone(.section(CrossOriginPolicy(), CrossOriginPolicy.keys)),
            "The web pages of other origins that may call the gateway; mobile apps do not need it. `none`: the upstreams' "
                + "own CORS fields are passed on."),
        Key(
            "cookies", section: \.cookies, CookiePolicy.keys,
            "The web pages of other origins on the API's site whose sessions are in cookies; needs a dialect with `web` "
                + "(docs/run/cookies.md)."),
        Key("web", section: \.web, WebPolicy.keys, "The sessions of web pages in cookies."),
        Key(
            "trustedProxies", \.trustedProxies, .values(0...64, CIDR.rule),
            "The proxies in front of the gateway whose X-Forwarded-For is accepted."),
        Key(
            "tracing", section: \.tracing, TracingPolicy.keys,
            "Traces of requests, for the collector in OTEL_EXPORTER_OTLP_ENDPOINT (docs/run/monitoring.md)."),
        Key(
            "upstreams", \.upstreams, .upstreams,
            "The servers of the app's API, by names that you choose: one base URL, a list of them, or a section.",
            example: "{ app: $LATCHKEY_UPSTREAM }"),
        Key(
            "routes", \.routes, "The requests that are passed on to the app's API.",
            example: "[{ path: /api/**, upstream: app, access: bearer }]"
        ) { policy in
            .sections(
                0...512, Route(pattern: .none, upstream: "", access: .bearer), Route.keys(of: policy)
            ) { $1.check($0, earlier: $2) }
        },
    ]

    /// The section `otp`, or `nil` if no codes go to phones.
    private var codes: OTPPolicy? {
        get { sendsCodes ? otp : nil }
        set { (otp, sendsCodes) = (newValue ?? OTPPolicy(), newValue != nil) }
    }

    /// The values of all keys, defaults included, each with its key path.
    package var values: [StatedValue] { Self.keys.node(self).values() }
}

extension KeyForm {
    /// The word `none`, read as no entries, or entries.
    fileprivate static func entriesOrNone<Item>(_ form: KeyForm) -> KeyForm where Value == [Item] {
        KeyForm(
            kind: { .either(["none"], or: form.kind()) }, read: { $0.isWord("none") ? [] : form.read($0) },
            node: { form.node($0) ?? YAMLNode(word: "none") })
    }
}
