extension Policy {
    /// The reasons not to use this policy in `environment`, one sentence each; empty if there are none.
    ///
    /// This is not part of `load`, because one file serves every environment.
    package func problems(in environment: DeploymentEnvironment) -> [String] {
        var problems: [String] = []
        if let problem = publicURL?.problem(in: environment) { problems.append("\(name): publicURL \(problem)") }
        for url in dialects.compactMap(\.previous?.url) {
            if let problem = url.problem(in: environment) {
                problems.append("\(name): dialects.previous.url \(problem)")
            }
        }
        if let link = email?.linkURL.flatMap(PublicURL.init), let problem = link.problem(in: environment) {
            problems.append("\(name): email.linkURL \(problem)")
        }
        problems +=
            (oidc.flatMap { $0.problems(of: "oidc", in: environment) }
            + phoneTokens.flatMap { $0.token.problems(of: "phoneTokens", in: environment) })
            .map { "\(name): \($0)" }
        problems += webRedirects.filter { environment == .production && $0.hasPrefix("http://") }.map {
            "\(name): webRedirects \($0) is not https, which production needs. Use https."
        }
        problems += cookies.origins.filter { environment == .production && !$0.hasPrefix("https://") }.map {
            "\(name): cookies.origins \($0) is not https, which production needs. Use https."
        }
        if admin.console, !admin.api {
            problems.append("\(name): admin.console needs admin.api, which is false. Set both to the same value.")
        }
        if environment == .production, trustedProxies.contains(where: { $0.prefixLength == 0 }) {
            problems.append(
                "\(name): trustedProxies contains every address, which production does not accept. Name the addresses of your proxies."
            )
        }
        return problems
    }

    /// The origins of `cookies.origins` from which browsers send no cookies to the API, one sentence each; empty if there are none.
    ///
    /// - Parameter publicURL: the policy's URL, or the one of the environment; `nil` if neither states one.
    package func siteProblems(publicURL: PublicURL?) -> [String] {
        guard !cookies.origins.isEmpty else { return [] }
        let hosts = dialects.filter { $0.web != .none }.compactMap { $0.host ?? publicURL?.host }
        guard let host = hosts.first else {
            return [
                "\(name): cookies.origins needs the host of the API, which shares a domain with these pages. Set publicURL or "
                    + "LATCHKEY_PUBLIC_URL, or the dialect's host (deploy/docs/run/cookies.md)."
            ]
        }
        return cookies.origins.filter { origin in
            !hosts.contains { SiteRule.isSameSite(origin: origin, host: $0) }
        }.map { origin in
            "\(name): cookies.origins \(origin) is not on the site of \(host), so browsers send no cookies from there. Use an "
                + "origin of the same domain, or bearer tokens (deploy/docs/run/cookies.md)."
        }
    }

    /// Warnings about values that are allowed in `environment` but seldom intended, one sentence each.
    package func cautions(in environment: DeploymentEnvironment) -> [String] {
        guard environment == .production else { return ageCautions + passkeyCautions }
        return ageCautions + passkeyCautions + exampleCautions + redirectCautions + delayCautions + adminCautions
            + (sendsCodes ? codeCautions : [])
    }

    /// A warning about an API for administrators that every address reaches, or that a proxy's address does not.
    private var adminCautions: [String] {
        guard admin.api else { return [] }
        guard admin.addresses.isEmpty else {
            guard admin.addresses.contains(where: { trustedProxies.contains(where: $0.overlaps) }) else { return [] }
            return [
                "\(name): admin.addresses contains addresses of trustedProxies, which are refused, since a proxy is no administrator. "
                    + "List only the addresses of your office or VPN (deploy/docs/run/admin-api.md)."
            ]
        }
        return [
            "\(name): admin.api is true and admin.addresses is empty, so a stolen token of an administrator works from everywhere. "
                + "List the addresses of your office or VPN (deploy/docs/run/admin-api.md)."
        ]
    }

    /// A warning about changes to which users cannot object.
    private var delayCautions: [String] {
        guard identityChange.supportDelayHours == 0 else { return [] }
        return [
            "\(name): identityChange.supportDelayHours is 0, so users have no time to object to a new phone number. Use at least 24 "
                + "(deploy/docs/run/support.md)."
        ]
    }

    /// Warnings about routes whose 401 for an old or weak authentication has the shape of a document that does not know it.
    private var ageCautions: [String] {
        routes.flatMap { route -> [String] in
            guard let key = route.claimedKeys.first?.key else { return [] }
            let shapes =
                route.dialect.map { [$0] } ?? dialects.filter { $0.host != nil }.map(\.name) + [
                    dialects.first?.name ?? ""
                ]
            return Set(shapes).subtracting([Dialect.native, ""]).sorted().map {
                "\(name): the route \(route.path) has \(key), and clients of \($0) sign out at a repeated 401. Use "
                    + "dialect: native for routes that only Latchkey's own clients call (deploy/docs/app/account.md)."
            }
        }
    }

    /// Warnings about an issuer, audience or app name that is still an example's.
    private var exampleCautions: [String] {
        let values = [("issuer", issuer), ("audience", audience), ("messages.appName", messages.appName)]
        return values.filter { Self.exampleValues.contains($0.1) }.map { key, value in
            "\(name): \(key) is \(value), an example's; set your own "
                + (key == "messages.appName" ? "there or in LATCHKEY_APP_NAME" : "before the first user signs in")
        }
    }

    /// The issuers, audiences and app names of the policies that ship.
    package static let exampleValues: Set = [
        "latchkey", MessagePolicy().appName, "https://auth.example.com", "example-api",
        "howru.app", "howru-api", "HowRU", "aarokya.in", "aarokya-api", "voltyks", "voltyks-api", "Voltyks",
        "gremlin.com", "gremlin-api", "Gremlin", "uta", "uta-api", "UTA DevHub",
    ]

    /// Warnings about private schemes.
    private var redirectCautions: [String] {
        privateRedirects.map {
            "\(name): webRedirects \($0) has a private scheme, which any app can register. Use an https address that your app opens "
                + "(deploy/docs/app/web-sign-in.md)."
        }
    }

    /// Warnings about codes whose cost has no bound.
    private var codeCautions: [String] {
        var cautions: [String] = []
        if countries.allowedPrefixes == nil {
            cautions.append(
                "\(name): countries.allowed is all, so anyone can make you pay for messages to any country. List the prefixes of "
                    + "the countries where your users are.")
        }
        if spend == nil {
            cautions.append(
                "\(name): there is no section spend, so only their number limits what messages cost. Add prices and budgets "
                    + "(deploy/docs/run/budgets.md).")
        }
        return cautions
    }
}
