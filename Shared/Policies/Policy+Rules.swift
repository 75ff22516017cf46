extension Policy {
    /// Reports everything that is wrong with several keys together, after all keys are read.
    mutating func check(_ root: PolicySection) {
        if sendsCodes { _ = root.required("countries") }
        nameApp()
        checkDialects(root)
        requirePrices(root)
        checkProviders(root)
        checkWebRedirects(root)
        requireSignIn(root)
        requireShortMessages(root)
        requireReadableCookies(root)
        if edge.proxyProtocol, trustedProxies.isEmpty {
            root.refuse(
                "trustedProxies",
                "is empty, but edge.proxyProtocol accepts PROXY headers only from these proxies. Add their addresses, such as 10.0.0.0/8."
            )
        }
        checkMappedClaims(root)
        checkTokenForms(root)
        checkRoutes(root)
    }

    /// Requires the attributes that profiles map, and one member for each claim in all profiles: clients choose the dialect, and with
    /// it the profile, so they would choose what a route's header means.
    private func checkMappedClaims(_ root: PolicySection) {
        var sources: [String: ClaimSource] = [:]
        for profile in profiles {
            for claim in profile.mappedClaims {
                let item = ".\(profile.name).mappedClaims.\(claim.name)"
                if case .attribute(let name) = claim.source, !attributes.contains(where: { $0.name == name }) {
                    root.refuse(
                        "profiles", item: item,
                        "attributes declares no \(name). Declare it there, or map another member.")
                }
                if let other = sources.updateValue(claim.source, forKey: claim.name), other != claim.source {
                    root.refuse(
                        "profiles", item: item,
                        "another profile maps this name to \(other.text). Use one member for it in all profiles.")
                }
            }
        }
    }

    /// Writes the app's name into the texts of codes.
    private mutating func nameApp() {
        otp.messageTemplate.replace("{app}", with: messages.appName)
        for index in dialects.indices { dialects[index].otp.messageTemplate.replace("{app}", with: messages.appName) }
    }

    private func checkDialects(_ root: PolicySection) {
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

    private func checkProviders(_ root: PolicySection) {
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

    /// Requires the claims that routes compare. Without them, such a route would refuse every token of the profile.
    private func requireClaims(_ root: PolicySection) {
        for claim in TokenProfile.claimsOfAuthentication {
            // The tokens of the dialect supabase always have them.
            let lacking = dialects.first {
                $0.name != Dialect.supabase && profile(named: $0.profile)?.claims.contains(claim) == false
            }
            guard let lacking else { continue }
            let problem = "needs the claim \(claim), which profiles.\(lacking.profile).claims lacks. Add it there."
            for (index, route) in routes.enumerated() {
                guard let (key, _) = route.claimedKeys.first(where: { $0.claim == claim }) else { continue }
                root.refuse("routes", item: "[\(index)].\(key)", problem)
                break
            }
            let roles = Set(mfa?.requiredForRoles ?? [])
            if claim == TokenProfile.level, routes.contains(where: { !roles.isDisjoint(with: $0.access.roles) }) {
                root.refuse("mfa", item: ".requiredForRoles", problem)
            }
        }
    }

    /// Requires the switches without which no user could act as another, and routes that such a user may reach.
    private func requireActing(_ root: PolicySection) {
        if admin.actAs != nil, !admin.api {
            root.refuse("admin", item: ".actAs", "needs admin.api: true. Add it there.")
        }
        if admin.actAs == nil, let index = routes.firstIndex(where: { $0.actAs != nil }) {
            root.refuse(
                "routes", item: "[\(index)].actAs", "needs admin.actAs with a role. Add it, or remove this key.")
        }
        let roles = Set(mfa?.requiredForRoles ?? [])
        func isImpossible(_ route: Route) -> Bool {
            route.actAs != nil && !route.access.roles.isEmpty && roles.isSuperset(of: route.access.roles)
        }
        guard let index = routes.firstIndex(where: isImpossible) else { return }
        root.refuse(
            "routes", item: "[\(index)].actAs",
            "a token of a person who acts as a user has no second factor, which mfa.requiredForRoles wants here. "
                + "Remove this key.")
    }

    private func checkRoutes(_ root: PolicySection) {
        requireClaims(root)
        requireActing(root)
        for (index, route) in routes.enumerated() {
            guard let row = route.reachedByStripping(among: routes) else { continue }
            root.refuse(
                "routes", item: "[\(index)].stripPrefix",
                "\(route.path) reaches \(row.upstreamPattern.text) of upstream \(row.upstream), which \(row.path) protects. Give "
                    + "one of them an upstream of another name.")
        }
    }
}
