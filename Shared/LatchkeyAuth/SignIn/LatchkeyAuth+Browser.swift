public import Foundation

/// Signing in at a provider's own page in the browser, which comes back to the app with a code.
extension LatchkeyAuth {
    /// Signs in at a provider's own page, which opens over the app.
    ///
    /// The page returns by the first of ``Configuration/webRedirects`` that the system can use. A second call closes a page that is
    /// open, and that call is cancelled, unless it is part of a double tap: then both wait for the same page.
    ///
    /// - Parameter provider: `apple`, or the provider's name in the server's policy, such as `google`.
    /// - Throws: ``AuthError/cancelled`` if the user has closed the page or has refused, and
    ///   ``AuthError/refused(status:code:requestID:)`` with a code of the provider, the server or the system after other failures.
    @available(iOSApplicationExtension, unavailable, message: "An extension opens the page of urlOf(_:) itself")
    @available(visionOSApplicationExtension, unavailable, message: "An extension opens the page of urlOf(_:) itself")
    @discardableResult
    public func signInWithBrowser(_ provider: String) async throws(AuthError) -> SignIn {
        let path = try Self.browserPath(provider)
        let (browser, redirect) = try openable()
        let (proof, replaced) = openPage.proof(provider, at: configuration.clock.now)
        if let replaced { signIns.cancel(replaced) }
        return try await signIns.once(proof) { () throws(AuthError) in
            let pending = PendingBrowser(path: path, redirect: redirect)
            self.openPage.opens(proof, at: self.configuration.clock.now)
            let link: URL
            do {
                defer { self.openPage.closes(proof) }
                link = try await browser.open(self.urlOf(pending), returningTo: redirect)
            } catch {
                throw AuthError(transport: error)
            }
            return try await self.redeem(pending, link)
        }
    }

    /// Prepares a sign-in at a provider's own page, for apps that open it by their own means: show the page of ``urlOf(_:)``, and pass
    /// the link with which it returns to ``finishSignIn(_:_:)``.
    ///
    /// - Parameter redirect: the URL by which the page returns, one of the policy's `webRedirects`.
    public func prepareBrowser(_ provider: String, redirect: URL) throws(AuthError) -> PendingBrowser {
        PendingBrowser(path: try Self.browserPath(provider), redirect: redirect)
    }

    /// Returns the URL of the page that begins a sign-in in the browser.
    public func urlOf(_ pending: PendingBrowser) throws(AuthError) -> URL {
        guard let url = engine.api.baseURL.url(pending.page) else { throw .untrustedServer }
        return url
    }

    /// Finishes a sign-in by the link with which the provider's page has returned. Returns `nil` if the link is another one.
    ///
    /// - Throws: ``AuthError/cancelled`` if the user has refused.
    @discardableResult
    public func finishSignIn(_ pending: PendingBrowser, _ link: URL) async throws(AuthError) -> SignIn? {
        guard let code = pending.code(of: link) else { return nil }
        return try await redeem(pending, try code.get())
    }

    private func redeem(_ pending: PendingBrowser, _ link: URL) async throws(AuthError) -> SignIn {
        guard let code = try pending.code(of: link)?.get() else { throw .noCode }
        return try await twice { () throws(AuthError) in try await self.redeem(pending, code) }
    }

    private func redeem(_ pending: PendingBrowser, _ code: String) async throws(AuthError) -> SignIn {
        let key = Self.key("browser \(code) \(pending.verifier)")
        return try await signIn("\(pending.path)/verify", pending.proof(code), idempotencyKey: key)
    }

    private static func browserPath(_ provider: String) throws(AuthError) -> String {
        guard isProviderName(provider) else { throw .invalid(field: "provider", code: "invalid_provider") }
        return provider == "apple" ? "/auth/apple" : "/auth/oidc/\(provider)"
    }

    /// The browser, and the redirect by which it can return.
    @available(iOSApplicationExtension, unavailable)
    @available(visionOSApplicationExtension, unavailable)
    func openable() throws(AuthError) -> (browser: any Browser, redirect: URL) {
        guard let browser else { throw .refused(status: 0, code: "no_browser", requestID: nil) }
        guard let redirect = redirects.first(where: browser.canReturn) else {
            throw .refused(status: 0, code: "no_redirect", requestID: nil)
        }
        return (browser, redirect)
    }

    /// The app's redirects, or one with a scheme that is the app's identifier.
    private var redirects: [URL] {
        guard configuration.webRedirects.isEmpty else { return configuration.webRedirects }
        let own = Bundle.main.bundleIdentifier.flatMap { URL(string: "\($0.lowercased()):/signed-in") }
        return own.map { [$0] } ?? []
    }

    @available(iOSApplicationExtension, unavailable)
    @available(visionOSApplicationExtension, unavailable)
    private var browser: (any Browser)? {
        if let browser = configuration.browser { return browser }
        #if canImport(AuthenticationServices) && !os(tvOS) && !os(watchOS)
        return SystemBrowser()
        #else
        return nil
        #endif
    }
}
