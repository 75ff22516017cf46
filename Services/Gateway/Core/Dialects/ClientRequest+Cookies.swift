import AuthAPI
import InternalAPI
import ServiceKit

/// The part that cookies play in sign-ins, refreshes and sign-outs.
extension ClientRequest {
    /// A session's tokens for the response, without those that are in a cookie, and the fields that set the cookies.
    struct Issued: Sendable {
        var tokens: TokenSet
        var cookies: [(String, String)] = []
    }

    /// Returns the tokens of a sign-in as the client gets them.
    ///
    /// If they are not a page's, they go into the response and the page's cookies go: their session has ended.
    func issued(_ signedIn: OpenSession.SignedIn) -> Issued {
        var issued = issued(signedIn.tokens)
        if issued.cookies.isEmpty, page?.cookies.isEmpty == false { issued.cookies = clearing }
        return issued
    }

    /// Returns the tokens of a sign-in, or of a refresh by cookie, as the client gets them.
    ///
    /// - Parameter tokens: with the page secret if they are a page's.
    func issued(_ tokens: TokenSet) -> Issued {
        var tokens = tokens
        guard let page, let secret = tokens.pageSecret.flatMap(PageSecret.init) else { return Issued(tokens: tokens) }
        let cookies = page.storing(tokens, secret, now: UnixTime.seconds())
        tokens.refreshToken = ""
        if page.dialect.keepsAccess { tokens.accessToken = "" }
        return Issued(tokens: tokens, cookies: cookies)
    }

    /// Rotates the refresh token of the page's cookies, or returns `nil` if the client sends a token in the body.
    func refreshByCookie(_ useCases: UseCases) async throws(Refusal) -> TokenSet? {
        guard let page, isPage, json.isNothing else { return nil }
        // Every visitor's first page view is such a request without cookies.
        guard let token = page.cookies.refresh.text, let secret = page.secret else { throw .noRefreshToken }
        var tokens = try await useCases.refresh(token, asksForRights: false, secret: secret, ClientCall(self))
        tokens.pageSecret = secret.text
        return tokens
    }

    /// Revokes the sessions of a sign-out. A page without cookies has no session, and its sign-out succeeds.
    ///
    /// - Parameter stated: the token in the body, which goes before the cookie.
    func logOut(
        _ useCases: UseCases, refreshToken stated: String? = nil, scope: LogoutScope? = nil
    ) async throws(Refusal) {
        let token = stated ?? (isPage ? page?.cookies.refresh.text : nil)
        let endsOthers = scope == .others || scope == .all
        if isPage, token == nil, credential == .missing, !endsOthers { return }
        try await useCases.logOut(refreshToken: token, scope: scope, ClientCall(self))
    }

    /// The fields that remove a page's cookies after its sign-out.
    var clearing: [(String, String)] { isPage ? page?.clearing ?? [] : [] }

    /// Returns the fields that remove a page's cookies after a refresh by cookie was refused because the session has ended.
    ///
    /// Other refusals leave the cookies, since the session lives on, or may.
    func clearing(after refusal: Refusal) -> [(String, String)] {
        guard case .refreshTokenInvalid(_, let reason?) = refusal, reason != .superseded, json.isNothing
        else {
            return []
        }
        return clearing
    }
}
