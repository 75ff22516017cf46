import Hummingbird
import NIOCore
import ServiceHTTP
import Synchronization

/// The keys of Apple, of an OpenID Connect issuer and of Firebase Phone Number Verification, tokens of each, and Apple's server.
///
/// `GET /auth/keys`, `POST /auth/token` and `POST /auth/revoke` are Apple's paths. `GET /oidc/keys` is the issuer's, which also plays
/// Google and Microsoft at their paths. `GET /v1beta/jwks` is Firebase's.
/// `POST /fakes/identity-token` mints the token that a `TokenWish` describes, with Apple's authorization code, and
/// `GET /fakes/identity-token?provider=&subject=&nonce=` a valid token as plain text: one that the policy accepts from this provider, or
/// with `issuer` and `audience` in its place one of those. `GET /fakes/providers` lists the policy's providers.
/// `WebSignInFake` are the pages on which people sign in.
/// `GET /fakes/identity-keys` reports how often keys were fetched, and `GET /fakes/apple` the calls of Apple's server.
/// `POST /fakes/apple/notification` signs the notification that an `AppleEventWish` describes.
final class IdentityFake: Sendable {
    static let oidcIssuer = "https://issuer.example"
    private static let bodyBytesMax = 1 << 16

    private let apple: TokenMint
    private let server: AppleServerFake
    private let oidc: TokenMint
    private let fpnv: TokenMint
    private let policyTokens: PolicyTokens
    private let script: Script
    private let now: @Sendable () -> Int64
    private let fetches = Mutex<[String: Int]>([:])

    /// - Parameter client: the deployment that Apple's server knows.
    init(
        script: Script, client: AppleServerFake.Client?, policy: PolicyTokens = PolicyTokens(),
        now: @escaping @Sendable () -> Int64
    ) throws {
        apple = try TokenMint(issuer: TokenMint.appleIssuer, audience: "com.howru", keyName: "apple")
        server = AppleServerFake(mint: apple, client: client, now: now)
        oidc = try TokenMint(issuer: Self.oidcIssuer, audience: "client-1", keyName: "oidc")
        fpnv = try TokenMint.fpnv(rsa: oidc.rsa)
        policyTokens = policy
        self.script = script
        self.now = now
    }

    func add(to router: Router<BasicRequestContext>) {
        WebSignInFake(apple: apple, appleServer: server, oidc: oidc, script: script, now: now).add(to: router)
        router.get("/auth/keys") { _, _ in try await self.keys("apple", self.apple) }
        router.post("/auth/token") { request, _ in try await self.call(AppleServerFake.tokenPath, request) }
        router.post("/auth/revoke") { request, _ in try await self.call(AppleServerFake.revokePath, request) }
        router.get("/fakes/apple") { _, _ in try jsonResponse(self.server.ledger) }
        router.post("/fakes/apple/notification") { request, _ in
            let wish = try await FakeJSON.decode(AppleEventWish.self, from: request, upTo: Self.bodyBytesMax)
            let token = try self.apple.token(try wish.asToken(now: self.now()), now: self.now())
            return try jsonResponse(["payload": token.identityToken])
        }
        let others = policyTokens.keyPaths.filter {
            !$0.hasSuffix("/discovery/v2.0/keys") && !["/auth/keys", "/v1beta/jwks"].contains($0)
        }
        for path in Set(["/oidc/keys", "/oauth2/v3/certs", "/:tenant/discovery/v2.0/keys"] + others) {
            router.get(RouterPath(path)) { _, _ in try await self.keys("oidc", self.oidc) }
        }
        router.get("/fakes/providers") { _, _ in self.policyTokens.names }
        router.get("/v1beta/jwks") { _, _ in try await self.keys("fpnv", self.fpnv) }
        router.get("/fakes/identity-keys") { _, _ in try jsonResponse(self.fetches.withLock { $0 }) }
        router.post("/fakes/identity-token") { request, _ in
            let wish = try await FakeJSON.decode(TokenWish.self, from: request, upTo: Self.bodyBytesMax)
            return try jsonResponse(try self.token(wish))
        }
        router.get("/fakes/identity-token") { request, _ in
            let query = request.uri.queryParameters.reduce(into: [:]) { $0[String($1.key)] = String($1.value) }
            let wish = try self.wish(query)
            return try self.mint(wish.issuer).token(wish, now: self.now()).identityToken
        }
    }

    private func wish(_ query: [String: String]) throws -> TokenWish {
        guard let provider = query["provider"] else {
            return TokenWish(
                issuer: query["issuer"], subject: query["subject"], audience: query["audience"], nonce: query["nonce"])
        }
        guard let wish = policyTokens.wish(provider, subject: query["subject"], nonce: query["nonce"]) else {
            throw HTTPError(.notFound, message: "The policy has no provider of this name.")
        }
        return wish
    }

    /// Mints a token, with a code if it is Apple's.
    private func token(_ wish: TokenWish) throws -> MintedToken {
        let mint = try mint(wish.issuer)
        var token = try mint.token(wish, now: now())
        if mint.issuer == apple.issuer {
            token.authorizationCode = server.code(
                for: wish.subject ?? TokenMint.defaultSubject, clientID: wish.audience ?? mint.audience)
        }
        return token
    }

    /// Answers a call of Apple's server, as the script states if it has a step for it.
    private func call(_ path: String, _ request: Request) async throws -> Response {
        let step = script.next("apple", of: String(path.dropFirst("/auth/".count)))
        if let seconds = step?.hang { try await Task.sleep(for: .seconds(seconds)) }
        if let response = step?.rawResponse { return response }
        let bytes = try await request.body.collect(upTo: Self.bodyBytesMax).readableBytesView
        let (status, body) = try server.answer(path, String(decoding: Array(bytes), as: UTF8.self))
        if step?.drop == true { return Response(status: .internalServerError) }
        return Response(
            status: .init(code: status), headers: [.contentType: "application/json;charset=UTF-8"],
            body: .init(byteBuffer: ByteBuffer(string: body)))
    }

    private func mint(_ issuer: String?) throws -> TokenMint {
        switch issuer ?? "apple" {
        case "apple": apple
        case "oidc": oidc
        case "fpnv": fpnv
        default: throw HTTPError(.badRequest)
        }
    }

    /// Returns the key set, or the response of the script: another status, body or header, or a wait.
    private func keys(_ issuer: String, _ mint: TokenMint) async throws -> Response {
        fetches.withLock { $0[issuer, default: 0] += 1 }
        let step = script.next(issuer, of: "keys")
        if let seconds = step?.hang { try await Task.sleep(for: .seconds(seconds)) }
        if let response = step?.rawResponse { return response }
        return Response(
            status: .ok, headers: [.contentType: "application/json;charset=UTF-8"],
            body: .init(byteBuffer: ByteBuffer(bytes: try mint.keySet())))
    }
}
