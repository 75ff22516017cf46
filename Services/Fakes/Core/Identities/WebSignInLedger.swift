import CryptoPrimitives
import Hummingbird
import Synchronization

/// A request of Latchkey's to sign a person in (OpenID Connect Core section 3.1.2.1; Apple: "Sign in with Apple on the web").
struct WebSignInOrder: Sendable {
    let issuer, clientID, redirectURI, state, nonce: String
    /// The challenge of PKCE; `nil` for Apple.
    let challenge: VerifierChallenge?

    var isApple: Bool { issuer == TokenMint.appleIssuer }

    /// - Throws: `HTTPError` 400 with the member that is missing or wrong.
    init(_ fields: [String: String], issuer: String) throws {
        func value(_ name: String) throws -> String {
            guard let value = fields[name], !value.isEmpty else {
                throw HTTPError(.badRequest, message: "\(name) is missing")
            }
            return value
        }
        func require(_ name: String, _ text: String) throws {
            guard try value(name) == text else { throw HTTPError(.badRequest, message: "\(name) is not \(text)") }
        }
        self.issuer = issuer
        (clientID, redirectURI) = (try value("client_id"), try value("redirect_uri"))
        (state, nonce) = (try value("state"), try value("nonce"))
        if issuer == TokenMint.appleIssuer {
            try require("response_type", "code id_token")
            try require("response_mode", "form_post")
            try require("scope", "name email")
            challenge = nil
        } else {
            try require("response_type", "code")
            try require("scope", "openid")
            try require("code_challenge_method", "S256")
            challenge = VerifierChallenge(try value("code_challenge"))
        }
    }
}

/// A code of a provider that can be exchanged once.
struct IssuedCode: Sendable {
    let order: WebSignInOrder
    let subject: String
}

/// The requests that wait for a person, and the codes that wait for Latchkey.
final class WebSignInLedger: Sendable {
    /// The most of either; then the oldest do not count.
    private static let countMax = 10_000

    private let orders = Mutex<[String: WebSignInOrder]>([:])
    private let codes = Mutex<[String: IssuedCode]>([:])

    /// Keeps a request, and returns its id.
    func keep(_ order: WebSignInOrder) -> String {
        let id = Hex.encode(SecureRandom.bytes(16))
        orders.withLock { orders in
            if orders.count >= Self.countMax { orders.removeAll() }
            orders[id] = order
        }
        return id
    }

    func order(_ id: String) -> WebSignInOrder? { orders.withLock { $0[id] } }

    /// Issues a code.
    func issue(_ issued: IssuedCode) -> String {
        let code = "c." + Base64URL.encode(SecureRandom.bytes(32))
        codes.withLock { codes in
            if codes.count >= Self.countMax { codes.removeAll() }
            codes[code] = issued
        }
        return code
    }

    /// Returns what a code was issued for, once.
    func use(_ code: String) -> IssuedCode? { codes.withLock { $0.removeValue(forKey: code) } }
}
