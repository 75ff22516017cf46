/// A policy while it is read. Every member has a first value, and members that others refer to come before them.
struct PolicyDraft {
    var issuer = ""
    var audience = ""
    var userIDPrefix = ""
    var defaultRegion: String?
    var profiles: [TokenProfile] = []
    var dialects: [Dialect] = []
    var otp = OTPPolicy()
    var sendsCodes = true
    var countries = CountryRule()
    var attributes: [AttributePolicy] = []
    var deletion = DeletionPolicy()
    var signing = SigningPolicy()
    var audit = AuditPolicy()
    var sessions = SessionPolicy()
    var messages = MessagePolicy()
    var spend: SpendPolicy?
    var email: EmailPolicy?
    var passwords: PasswordPolicy?
    var apple: IdentityProviderPolicy?
    var oidc: [IdentityProviderPolicy] = []
    var phoneTokens: [PhoneTokenPolicy] = []
    var webRedirects: [String] = []
    var accounts = AccountPolicy()
    var passwordChange = PasswordChangePolicy()
    var publicURL: PublicURL?
    var apps = AppsPolicy()
    var edge = EdgePolicy()
    var crossOrigin: CrossOriginPolicy?
    var cookies = CookiePolicy()
    var web = WebPolicy()
    var trustedProxies: [CIDR] = []
    var upstreams: [String: String?] = [:]
    var routes: [Route] = []

    static let profileCountMax = 16
    static let upstreamCountMax = 64

    /// - Parameter appName: The app's name if the policy has none; `nil` for the default.
    init(appName: String?) {
        if let appName { messages.appName = appName }
    }

    mutating func read(_ root: PolicySection) {
        root.requiredText("issuer", .identifier, into: &issuer)
        root.requiredText("audience", .identifier, into: &audience)
        root.text("userIDPrefix", .tokenPrefix, into: &userIDPrefix)
        root.text("defaultRegion", .region, into: &defaultRegion)
        root.requiredSection("profiles") { profiles = Self.readProfiles($0) }
        readCodes(root)
        readDialects(root)
        readCountries(root)
        readAttributes(root)
        root.section("deletion") { deletion = DeletionPolicy(reading: $0) }
        root.section("signing") { signing = SigningPolicy(reading: $0) }
        root.section("audit") { audit = AuditPolicy(reading: $0) }
        root.section("sessions") { sessions = SessionPolicy(reading: $0) }
        root.section("messages") { messages = MessagePolicy(reading: $0, over: messages) }
        nameApp()
        root.sectionOrNone("spend", into: &spend, SpendPolicy.init(reading:))
        requirePrices(of: Set(messages.channels + messages.fallback).map(\.rawValue).sorted(), root)
        root.sectionOrNone("email", into: &email, EmailPolicy.init(reading:))
        root.sectionOrNone("passwords", into: &passwords, PasswordPolicy.init(reading:))
        root.sectionOrNone("apple", into: &apple, IdentityProviderPolicy.init(apple:))
        readProviders(root)
        readWebRedirects(root)
        requireSignIn(root)
        root.section("accounts") { accounts = AccountPolicy(reading: $0) }
        root.section("passwordChange") { passwordChange = PasswordChangePolicy(reading: $0) }
        root.value("publicURL", PublicURL.rule, into: &publicURL)
        root.section("apps") { apps = AppsPolicy(reading: $0) }
        requireShortMessages(root)
        root.section("edge") { edge = EdgePolicy(reading: $0) }
        root.sectionOrNone("cors", into: &crossOrigin, CrossOriginPolicy.init(reading:))
        root.section("cookies") { cookies = CookiePolicy(reading: $0) }
        requireReadableCookies(root)
        root.section("web") { web = WebPolicy(reading: $0) }
        root.values("trustedProxies", count: 0...64, CIDR.rule, into: &trustedProxies)
        if edge.proxyProtocol, trustedProxies.isEmpty {
            root.refuse(
                "trustedProxies",
                "is empty, but edge.proxyProtocol accepts PROXY headers only from these proxies. Add their addresses, such as 10.0.0.0/8."
            )
        }
        root.section("upstreams") { upstreams = Self.readUpstreams($0) }
        readRoutes(root)
    }

    /// Writes the app's name into the texts of codes.
    private mutating func nameApp() {
        otp.messageTemplate.replace("{app}", with: messages.appName)
        for index in dialects.indices { dialects[index].otp.messageTemplate.replace("{app}", with: messages.appName) }
    }

    private mutating func readCodes(_ root: PolicySection) {
        var codes: OTPPolicy? = OTPPolicy()
        root.sectionOrNone("otp", into: &codes) { OTPPolicy(reading: $0) }
        otp = codes ?? OTPPolicy()
        sendsCodes = codes != nil
    }

    /// Reads the section `countries`, which states the countries to which codes go.
    private mutating func readCountries(_ root: PolicySection) {
        if sendsCodes {
            root.requiredSection("countries") { countries = CountryRule(reading: $0) }
        } else {
            root.section("countries") { countries = CountryRule(reading: $0) }
        }
    }

    private mutating func readProviders(_ root: PolicySection) {
        var providers: [IdentityProviderPolicy]?
        root.sectionOrNone("oidc", into: &providers, IdentityProviderPolicy.readAll)
        oidc = providers ?? []
        var phones: [PhoneTokenPolicy]?
        root.sectionOrNone("phoneTokens", into: &phones, PhoneTokenPolicy.readAll)
        phoneTokens = phones ?? []
        // The audit and the metrics distinguish providers by name only.
        for entry in phoneTokens where oidc.contains(where: { $0.name == entry.name }) {
            root.refuse("phoneTokens", item: ".\(entry.name)", "is the name of an entry of oidc too. Use another one.")
        }
        // Otherwise one token would sign in to two accounts.
        for entry in phoneTokens where oidc.contains(where: { $0.issuers.contains(entry.issuer) }) {
            root.refuse(
                "phoneTokens", item: ".\(entry.name).issuer",
                "\(entry.issuer) belongs to an entry of oidc too. Name each issuer once.")
        }
    }

    /// Requires a way to sign in. Otherwise the first user would be the one to notice that there is none.
    private func requireSignIn(_ root: PolicySection) {
        guard passwords == nil else { return }
        if !sendsCodes, email == nil, apple == nil, oidc.isEmpty, phoneTokens.isEmpty {
            root.refuse(
                "otp",
                "none leaves users no way to sign in. Add one of the sections passwords, email, apple, oidc or phoneTokens."
            )
        }
        for (index, dialect) in dialects.enumerated() where dialect.signsInByPassword {
            root.refuse(
                "dialects", item: "[\(index)]",
                "\(dialect.name) signs users in by password. Add the section passwords (deploy/docs/app/passwords.md).")
        }
    }

    /// Requires codes to fit in one message. A code in two messages costs two, and phones fill in neither.
    private func requireShortMessages(_ root: PolicySection) {
        for (key, item, otp) in [("otp", ".message", otp)]
            + dialects.enumerated().map({ ("dialects", "[\($0.offset)].otp.message", $0.element.otp) })
        {
            guard
                let problem = otp.lengthProblem
                    ?? Policy.problem(ofSMS: otp.messageTemplate, codeLengths: [otp.length], messages, apps)
            else { continue }
            root.refuse(key, item: item, problem)
            return
        }
    }

    private mutating func readDialects(_ root: PolicySection) {
        let names = profiles.map(\.name)
        var hosts: Set<String> = []
        root.requiredList("dialects", count: 1...8, into: &dialects) { section in
            let dialect = Dialect(reading: section, profiles: names, otp: otp, defaultRegion: defaultRegion)
            if !sendsCodes, section.has("otp") {
                section.refuse("otp", "does not go with otp: none of the policy. Remove one of the two.")
            }
            if let host = dialect.host, !hosts.insert(host).inserted {
                section.refuse("host", "\(host) belongs to another dialect. Name each host once.")
            }
            return dialect
        }
        requireOneCookieDialect(root)
        requireReachedSignIn(root)
        let spoken = dialects.map(\.name)
        if Set(spoken).count != spoken.count { root.refuse("dialects", "contains a dialect twice. Name each once.") }
        if !spoken.isEmpty, !spoken.contains(Dialect.native) {
            root.refuse(
                "dialects",
                "\(Dialect.native) is missing; it is always on. Add - { name: native, profile: NAME }, with a name of profiles."
            )
        }
    }

    private mutating func readAttributes(_ root: PolicySection) {
        var earlier: [AttributePolicy] = []
        root.list("attributes", count: 0...AttributePolicy.countMax, into: &attributes) { section in
            let attribute = AttributePolicy(reading: section, earlier: earlier)
            earlier.append(attribute)
            return attribute
        }
    }

    private mutating func readRoutes(_ root: PolicySection) {
        let names = upstreams.keys.sorted()
        let spoken = dialects.map(\.name)
        var earlier: [Route] = []
        root.list("routes", count: 0...512, into: &routes) { section in
            let route = Route(reading: section, upstreams: names, dialects: spoken)
            if let hider = earlier.first(where: { $0.hides(route) }) {
                section.refuse(
                    "path",
                    "\(route.path) never gets a request, because \(hider.path) above it matches them all. Move it above that."
                )
            }
            earlier.append(route)
            return route
        }
        for (index, route) in routes.enumerated() {
            guard let row = route.reachedByStripping(among: routes) else { continue }
            root.refuse(
                "routes", item: "[\(index)].stripPrefix",
                "\(route.path) reaches \(row.upstreamPattern.text) of upstream \(row.upstream), which \(row.path) protects. Give "
                    + "one of them an upstream of another name.")
        }
    }

    private static func readProfiles(_ section: PolicySection) -> [TokenProfile] {
        let entries = section.named(.name, count: 1...profileCountMax)
        return entries.compactMap { name, value in value.section { TokenProfile(name: name, reading: $0) } }
    }

    private static func readUpstreams(_ section: PolicySection) -> [String: String?] {
        var upstreams: [String: String?] = [:]
        for (name, value) in section.named(.name, count: 0...upstreamCountMax) {
            guard let address = value.text(UpstreamAddress.rule) else { continue }
            upstreams.updateValue(address.url, forKey: name)
        }
        return upstreams
    }
}
