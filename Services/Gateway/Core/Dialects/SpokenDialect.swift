import Policies

/// A dialect as this deployment speaks it.
struct SpokenDialect: Sendable {
    let dialect: any Dialect
    /// The host in lower case whose requests it takes where it shares a path with others.
    var host: String?
    /// The line in the policy file; `nil` for dialects that are always on.
    var line: Int?
    /// The document at `/.well-known/latchkey`: of the native API, and of each dialect with a host of its own.
    var discovery: DiscoveryDocument?
    /// The rows of the served API documents and the error catalogue.
    var documents: [DialectRow] = []

    var rows: [DialectRow] { rowsOfAPI + documents }
    /// The rows without those that describe the API.
    var rowsOfAPI: [DialectRow] { dialect.rows + (discovery.map { [$0.row] } ?? []) }
}

extension SpokenDialect {
    /// The dialect of what is refused before a head is read, when it is unknown which dialect the request is for.
    static func early(of spoken: [SpokenDialect]) -> any Dialect {
        (spoken.first { $0.dialect.needsOwnRefusals } ?? spoken.first)?.dialect ?? NativeDialect()
    }

    /// The dialects of a policy in its order, then those that are always on.
    ///
    /// - Parameters:
    ///   - texts: of pages for people.
    ///   - sendsMail: whether otp-service does.
    ///   - address: the URL at which clients reach the gateway; `nil` for the policy's.
    static func all(
        of policy: Policy, texts: MessageCatalog = .none, sendsMail: Bool = true, address: PublicURL? = nil
    ) -> [SpokenDialect] {
        let address = address ?? policy.publicURL
        let known = known(to: policy, texts, sendsMail, address)
        let metadata = address.map { ServerMetadata(issuer: policy.issuer, address: $0) }
        let spoken =
            policy.dialects.compactMap { entry in
                known.first { $0.name == entry.name }.map { dialect in
                    let isFound = entry.name == Policies.Dialect.native || entry.host != nil
                    return SpokenDialect(
                        dialect: dialect, host: entry.host, line: entry.line,
                        discovery: isFound
                            ? DiscoveryDocument(
                                of: entry, in: policy, sendsMail: sendsMail, publicURL: address) : nil)
                }
            } + [SpokenDialect(dialect: OAuthDialect(metadata: metadata))]
        let look = PageLook(appName: policy.messages.appName, accent: texts.accent, logo: texts.logo)
        return APIDocument.serve(spoken, of: policy, look)
    }

    /// Returns the dialects that a policy can name; their names are in `Policies.Dialect.knownNames`.
    private static func known(
        to policy: Policy, _ texts: MessageCatalog, _ sendsMail: Bool, _ address: PublicURL?
    ) -> [any Dialect] {
        let attributes = NativeAttributes(declared: policy.attributes)
        let mail = (sendsMail ? policy.email : nil).map { email in
            NativeMail(
                lifetimeSeconds: email.codes.lifetimeSeconds,
                page: LinkPage(appName: policy.messages.appName, catalog: texts))
        }
        let passwords = policy.passwords.map {
            NativePasswords(appName: policy.messages.appName, texts: texts, lengthMin: $0.lengthMin)
        }
        let accountPaths = passwords == nil ? [] : ["\(AccountLinks.confirmPath)", "\(AccountLinks.resetPath)"]
        return [
            NativeDialect(
                attributes: attributes, mail: mail, passwords: passwords,
                deletionPage: policy.deletion.page
                    ? DeletionPage(appName: policy.messages.appName, catalog: texts) : nil,
                asksToRestore: policy.deletion.onSignIn == .ask,
                addressPage: policy.sendsMail
                    ? AddressPage(appName: policy.messages.appName, catalog: texts) : nil,
                notMePage: policy.sendsNoticesOfChanges
                    ? NotMePage(appName: policy.messages.appName, catalog: texts) : nil,
                sendsCodes: policy.sendsCodes,
                identities: NativeIdentities(
                    providers: policy.identityProviders.map(\.name), web: policy.webProviders,
                    callbacks: SignInCallbacks(policy, publicURL: address),
                    returnPage: AppReturnPage(appName: policy.messages.appName, catalog: texts),
                    namesTokensTwice: policy.dialects.contains { $0.name == Policies.Dialect.uta }),
                acceptsPhoneTokens: !policy.phoneTokens.isEmpty,
                hasSecondFactor: policy.mfa != nil,
                passkeys: policy.passkeys.map {
                    NativePasskeys(
                        appName: policy.messages.appName, signUp: $0.signUp, relatedOrigins: $0.relatedOrigins)
                },
                apps: AppLinks(policy.apps, paths: [EmailPolicy.linkPath] + accountPaths),
                hasAdministration: policy.admin.api, hasActing: policy.admin.actAs != nil),
            AarokyaDialect(attributes: attributes, sendsCodes: policy.sendsCodes),
            VoltyksDialect(hasPasswords: passwords != nil), GremlinDialect(hasPasswords: passwords != nil),
            UtaDialect(attributes: attributes, passwords: passwords),
            SupabaseDialect(
                facts: SupabaseFacts(policy, sendsMail: mail != nil),
                browser: SupabaseBrowser(
                    providers: policy.webProviders, callbacks: SignInCallbacks(policy, publicURL: address))),
        ]
    }
}
