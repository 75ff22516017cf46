import CryptoPrimitives
import InternalAPI

/// The signed-in user who began a flow in a browser, and the purpose. A flow that signs in has no owner.
struct FlowOwner: Codable, Sendable, Equatable {
    /// The purposes for which a signed-in user begins a flow.
    static let purposes: [Purpose] = [.identity, .reauthentication]

    let purpose: Purpose
    let user: UserID
    let sessionID: String

    init(_ purpose: Purpose, _ user: SignedInUser) {
        self.purpose = purpose
        self.user = user.id
        sessionID = user.sessionID
    }
}

/// The `state` of a sign-in in a browser: everything that the callback has to know, since `authorize` stores nothing.
struct SignInState: WebSignInContent, Equatable {
    static let kind = "state"
    static let lifetimeSeconds: Int64 = 600
    private static let nonceByteCount = 32

    /// `apple`, or the provider's name in the policy.
    let provider: String
    /// The URL of the callback, which names the host and the path.
    let callbackURL: String
    /// BASE64URL(SHA-256(verifier)) of the app.
    let challenge: String
    /// The address of the app to which the sign-in returns.
    let redirect: String
    /// A random value that only user-service knows. The provider gets hashes of it.
    let nonce: String
    /// The only user and purpose that the flow serves; `nil` for a sign-in.
    let owner: FlowOwner?
    let expiresAt: Int64

    /// - Parameter now: Unix time in seconds.
    init(
        provider: String, callbackURL: String, challenge: VerifierChallenge, redirect: String,
        owner: FlowOwner? = nil, now: Int64
    ) {
        self.provider = provider
        self.callbackURL = callbackURL
        self.challenge = challenge.text
        self.redirect = redirect
        self.owner = owner
        nonce = Base64URL.encode(SecureRandom.bytes(Self.nonceByteCount))
        expiresAt = now + Self.lifetimeSeconds
    }

    /// Unix time in seconds.
    var createdAt: Int64 { expiresAt - Self.lifetimeSeconds }

    /// The nonce that the provider puts into the token: its hash, as apps pass it to the providers' SDKs.
    var tokenNonce: String { Hex.encode(SHA256.hash(Array(nonce.utf8))) }

    /// The verifier of the code that the provider issues (RFC 7636). It differs from the app's own.
    var codeVerifier: String { derived("code verifier") }

    /// Identifies the state among the used ones.
    var id: String { derived("id") }

    private func derived(_ use: String) -> String {
        Base64URL.encode(HMACSHA256(key: Array(nonce.utf8)).authenticate(Array("latchkey web sign-in \(use)".utf8)))
    }
}
