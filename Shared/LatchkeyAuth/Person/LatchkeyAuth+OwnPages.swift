public import Foundation

/// Adding an identity, and showing again who the user is, at a provider's own page.
extension LatchkeyAuth {
    /// Adds an account at a provider, in place of the one that the user had there, at the provider's own page. It opens over the app
    /// as for ``signInWithBrowser(_:)``.
    @available(iOSApplicationExtension, unavailable, message: "An extension opens the page of urlToAdd(_:) itself")
    @available(visionOSApplicationExtension, unavailable, message: "An extension opens the page of urlToAdd(_:) itself")
    public func addWithBrowser(_ provider: String) async throws(AuthError) {
        let (pending, link) = try await visit(provider, urlToAdd)
        guard try await finishAdding(pending, link) else { throw .noCode }
    }

    /// Shows again who the user is, at a provider's own page.
    @available(iOSApplicationExtension, unavailable, message: "An extension opens the page of urlToReauthenticate(_:)")
    @available(
        visionOSApplicationExtension, unavailable, message: "An extension opens the page of urlToReauthenticate(_:)"
    )
    public func reauthenticateWithBrowser(_ provider: String) async throws(AuthError) {
        let (pending, link) = try await visit(provider, urlToReauthenticate)
        guard let proof = try AccountProof.browser(pending, link) else { throw .noCode }
        try await reauthenticate(proof)
    }

    /// Returns the URL of a provider's page for ``finishAdding(_:_:)``, or for a proof of the other account of a merge.
    /// - Parameter pending: the result of ``prepareBrowser(_:redirect:)``.
    public func urlToAdd(_ pending: PendingBrowser) async throws(AuthError) -> URL {
        try await page("/users/me/identities", pending)
    }

    /// Returns the URL of a provider's page for ``reauthenticate(_:)`` with ``AccountProof/browser(_:_:)``.
    /// - Parameter pending: the result of ``prepareBrowser(_:redirect:)``.
    public func urlToReauthenticate(_ pending: PendingBrowser) async throws(AuthError) -> URL {
        try await page("/auth/reauthenticate", pending)
    }

    /// Adds the account that the user has chosen at the page of ``urlToAdd(_:)``. Returns `false` if the link is another one.
    @discardableResult
    public func finishAdding(_ pending: PendingBrowser, _ link: URL) async throws(AuthError) -> Bool {
        guard let code = try pending.code(of: link)?.get() else { return false }
        try await changeIdentity(
            "/users/me/identities\(pending.pathEnd)", pending.proof(code),
            key: Self.key("browser \(code) \(pending.verifier)"))
        return true
    }

    private func page(_ path: String, _ pending: PendingBrowser) async throws(AuthError) -> URL {
        let body: [String: JSONValue?] = [
            "challenge": .string(pending.challenge), "redirect": .string(pending.redirect.absoluteString),
        ]
        let json = try await authorized(
            API.Call(method: .post, path: "\(path)\(pending.pathEnd)/authorize", body: body))
        guard let url = json.members?["url"]?.text.flatMap({ URL(string: $0) }) else { throw .notLatchkey }
        return url
    }

    @available(iOSApplicationExtension, unavailable)
    @available(visionOSApplicationExtension, unavailable)
    private func visit(
        _ provider: String, _ url: (PendingBrowser) async throws(AuthError) -> URL
    ) async throws(AuthError) -> (PendingBrowser, URL) {
        let (browser, redirect) = try openable()
        let pending = try prepareBrowser(provider, redirect: redirect)
        let page = try await url(pending)
        do { return (pending, try await browser.open(page, returningTo: redirect)) } catch {
            throw AuthError(transport: error)
        }
    }
}

extension AccountProof {
    /// The link by which a provider's page has returned: that of ``LatchkeyAuth/urlToReauthenticate(_:)``, or of
    /// ``LatchkeyAuth/urlToAdd(_:)`` for the other account of a merge. Returns `nil` if it is another link.
    public static func browser(_ pending: PendingBrowser, _ link: URL) throws(AuthError) -> AccountProof? {
        guard let code = try pending.code(of: link)?.get() else { return nil }
        let members = pending.proof(code).merging(["provider": .string(pending.provider)]) { $1 }
        return AccountProof(members: members, secret: "\(code) \(pending.verifier)")
    }
}
