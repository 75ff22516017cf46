import AccessTokens
import CryptoPrimitives
import HTTPTypes
import Hummingbird
import NIOCore
import ServiceCalls
import ServiceHTTP
import ServiceKit

/// The pages on which people sign in at Apple and at an OpenID Connect issuer, and the issuer's token endpoint.
///
/// `GET /auth/authorize` is Apple's page; `GET /oidc/authorize` and `POST /oidc/token` are the issuer's, which also plays Google and
/// Microsoft at their paths. A page asks for the subject and has two buttons. Its form goes to `POST /fakes/sign-in`.
struct WebSignInFake: Sendable {
    static let answerPath = "/fakes/sign-in"
    private static let bodyBytesMax = 1 << 16
    private static let fieldCountMax = 32

    let apple: TokenMint
    /// Exchanges Apple's codes.
    let appleServer: AppleServerFake
    let oidc: TokenMint
    let script: Script
    /// Unix time in seconds.
    let now: @Sendable () -> Int64
    let ledger = WebSignInLedger()

    func add(to router: Router<BasicRequestContext>) {
        router.get("/auth/authorize") { request, _ in try page(request, issuer: TokenMint.appleIssuer) }
        router.get("/oidc/authorize") { request, _ in try page(request, issuer: IdentityFake.oidcIssuer) }
        router.get("/o/oauth2/v2/auth") { request, _ in try page(request, issuer: "https://accounts.google.com") }
        router.get("/:tenant/oauth2/v2.0/authorize") { request, context in
            let tenant = try context.parameters.require("tenant")
            return try page(request, issuer: "https://login.microsoftonline.com/\(tenant)/v2.0")
        }
        router.post(RouterPath(Self.answerPath)) { request, _ in try answer(try await Self.form(request)) }
        for path in ["/oidc/token", "/token", "/:tenant/oauth2/v2.0/token"] as [RouterPath] {
            router.post(path) { request, _ in try await tokens(try await Self.form(request)) }
        }
    }

    private static func form(_ request: Request) async throws -> [String: String] {
        let body = try await request.body.collect(upTo: bodyBytesMax)
        return try fields(String(decoding: body.readableBytesView, as: UTF8.self))
    }

    private static func fields(_ text: String) throws -> [String: String] {
        guard let pairs = FormText.decode(text, countMax: fieldCountMax) else { throw HTTPError(.badRequest) }
        return Dictionary(pairs) { first, _ in first }
    }

    // MARK: - The page

    /// Checks a request as strictly as the providers' documents describe it, and returns the page.
    private func page(_ request: Request, issuer: String) throws -> Response {
        let asked = try WebSignInOrder(try Self.fields(request.uri.query ?? ""), issuer: issuer)
        let id = ledger.keep(asked)
        return Self.html(
            """
            <h1>Sign in to \(asked.clientID.escapedForHTML)</h1>
            <form method="post" action="\(Self.answerPath)"><input type="hidden" name="request" value="\(id)">
            <label>Subject <input name="subject" value="000123.fake"></label> <label>Name <input name="name"></label>
            <button id="continue" name="action" value="continue">Continue</button>
            <button id="cancel" name="action" value="cancel">Cancel</button></form>
            """)
    }

    /// Returns the browser to Latchkey: with a code, or with the provider's error.
    private func answer(_ form: [String: String]) throws -> Response {
        guard let order = ledger.order(form["request"] ?? "") else { throw HTTPError(.badRequest) }
        var fields = [("state", order.state)]
        if form["action"] == "cancel" {
            fields.append(("error", order.isApple ? "user_cancelled_authorize" : "access_denied"))
        } else {
            let subject = form["subject"] ?? "000123.fake"
            let code =
                order.isApple
                ? appleServer.code(for: subject, clientID: order.clientID, redirectURI: order.redirectURI)
                : ledger.issue(IssuedCode(order: order, subject: subject))
            fields.append(("code", code))
            if order.isApple {
                fields.append(("id_token", try token(order, subject: subject)))
                let name = (form["name"] ?? "").split(separator: " ", maxSplits: 1)
                if let first = name.first {
                    let last = name.count > 1 ? String(name[1]) : ""
                    fields.append(("user", #"{"name":{"firstName":"\#(first)","lastName":"\#(last)"}}"#))
                }
            }
        }
        guard order.isApple else {
            let location = order.redirectURI + "?" + FormText.encode(fields)
            return Response(status: .seeOther, headers: [.location: location])
        }
        let inputs = fields.map { "<input type=\"hidden\" name=\"\($0.0)\" value=\"\($0.1.escapedForHTML)\">" }.joined()
        return Self.html(
            "<form method=\"post\" action=\"\(order.redirectURI.escapedForHTML)\">\(inputs)</form>"
                + "<script>document.forms[0].submit()</script>")
    }

    private func token(_ order: WebSignInOrder, subject: String) throws -> String {
        let claims = ["iss": "\"\(order.issuer)\"", "nonce": "\"\(order.nonce)\""]
        let wish = TokenWish(subject: subject, audience: order.clientID, claims: claims)
        return try (order.isApple ? apple : oidc).token(wish, now: now()).identityToken
    }

    // MARK: - The token endpoint

    private struct Tokens: Encodable {
        let access_token, id_token: String
        let token_type = "Bearer"
        let expires_in = 3600
    }

    private struct Problem: Encodable {
        let error: String
    }

    private func tokens(_ form: [String: String]) async throws -> Response {
        let step = script.next("oidc", of: "token")
        if let seconds = step?.hang { try await Task.sleep(for: .seconds(seconds)) }
        if let response = step?.rawResponse { return response }
        guard form["grant_type"] == "authorization_code" else { return try Self.refused("unsupported_grant_type") }
        guard form["client_secret"]?.isEmpty == false else { return try Self.refused("invalid_client") }
        // A code that was presented once is used up, even if it was refused.
        guard let issued = ledger.use(form["code"] ?? ""),
            issued.order.clientID == form["client_id"], issued.order.redirectURI == form["redirect_uri"],
            issued.order.challenge == VerifierChallenge(ofVerifier: form["code_verifier"] ?? "")
        else { return try Self.refused("invalid_grant") }
        return try jsonResponse(
            Tokens(
                access_token: Hex.encode(SecureRandom.bytes(16)),
                id_token: try token(issued.order, subject: issued.subject)))
    }

    private static func refused(_ error: String) throws -> Response {
        try jsonResponse(Problem(error: error), status: .badRequest)
    }

    private static func html(_ body: String) -> Response {
        Response(
            status: .ok, headers: [.contentType: "text/html; charset=utf-8", .cacheControl: "no-store"],
            body: .init(byteBuffer: ByteBuffer(string: "<!doctype html><title>Sign in</title>\(body)")))
    }
}
