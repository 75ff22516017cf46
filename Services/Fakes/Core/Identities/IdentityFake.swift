import Hummingbird
import NIOCore
import ServiceHTTP
import Synchronization

/// The keys of Apple and of an OpenID Connect issuer, and tokens of either.
///
/// `GET /auth/keys` is Apple's path. `GET /oidc/keys` is the issuer's, which also plays Google and Microsoft at their paths.
/// `POST /fakes/identity-token` mints the token that a `TokenWish` describes, and
/// `GET /fakes/identity-token?audience=&subject=` a valid token of Apple's as plain text.
/// `WebSignInFake` are the pages on which people sign in.
/// `GET /fakes/identity-keys` reports how often keys were fetched.
final class IdentityFake: Sendable {
    static let appleIssuer = "https://appleid.apple.com"
    static let oidcIssuer = "https://issuer.example"
    private static let bodyBytesMax = 1 << 16

    private let apple: TokenMint
    private let oidc: TokenMint
    private let script: Script
    private let now: @Sendable () -> Int64
    private let fetches = Mutex<[String: Int]>([:])

    init(script: Script, now: @escaping @Sendable () -> Int64) throws {
        apple = try TokenMint(issuer: Self.appleIssuer, audience: "com.howru", keyName: "apple")
        oidc = try TokenMint(issuer: Self.oidcIssuer, audience: "client-1", keyName: "oidc")
        self.script = script
        self.now = now
    }

    func add(to router: Router<BasicRequestContext>) {
        WebSignInFake(apple: apple, oidc: oidc, script: script, now: now).add(to: router)
        router.get("/auth/keys") { _, _ in try await self.keys("apple", self.apple) }
        for path in ["/oidc/keys", "/oauth2/v3/certs", "/:tenant/discovery/v2.0/keys"] as [RouterPath] {
            router.get(path) { _, _ in try await self.keys("oidc", self.oidc) }
        }
        router.get("/fakes/identity-keys") { _, _ in try jsonResponse(self.fetches.withLock { $0 }) }
        router.post("/fakes/identity-token") { request, _ in
            let wish = try await FakeJSON.decode(TokenWish.self, from: request, upTo: Self.bodyBytesMax)
            return try jsonResponse(try self.mint(wish.issuer).token(wish, now: self.now()))
        }
        router.get("/fakes/identity-token") { request, _ in
            let query = request.uri.queryParameters
            let wish = TokenWish(
                subject: query["subject"].map(String.init), audience: query["audience"].map(String.init),
                nonce: query["nonce"].map(String.init))
            return try self.mint(query["issuer"].map(String.init)).token(wish, now: self.now()).identityToken
        }
    }

    private func mint(_ issuer: String?) throws -> TokenMint {
        switch issuer ?? "apple" {
        case "apple": apple
        case "oidc": oidc
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
