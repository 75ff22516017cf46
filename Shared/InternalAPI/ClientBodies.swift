/// A client: a back end or a job that gets tokens of its own (RFC 6749 section 4.4). Its row is user-service's.
package enum ClientID {
    package static let form = "1 to 64 of A-Z a-z 0-9 . _ -, with a letter or digit first"
    private static let bytesMax = 64

    /// Whether a text has the form of a client's id. It then has one spelling in forms, in HTTP Basic and in a header.
    package static func isValid(_ text: String) -> Bool {
        let bytes = text.utf8
        guard let first = bytes.first, bytes.count <= bytesMax, isAlphanumeric(first) else { return false }
        return bytes.allSatisfy { isAlphanumeric($0) || ".-_".utf8.contains($0) }
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}

/// The lifetimes of clients' tokens and proofs, in seconds.
package enum ClientLifetimes {
    /// A token's. It is not longer than the default of `admin.withinSeconds`, so that a valid token of a client is a recent proof.
    package static let tokenSeconds: Int64 = 300
    /// The longest of an assertion of `private_key_jwt`.
    package static let assertionSecondsMax: Int64 = 600
    /// A sealed grant's.
    package static let grantSeconds: Int64 = 60
}

/// user-service's statement to token-service that a client may have one token.
package struct ClientGrant: SealedStatement, Equatable {
    package static let kind = "client_grant"

    package let clientID: String
    /// The client's key in the list of revocations, and the `sid` of its tokens.
    package let sid: String
    package let role: String
    /// Unix time in seconds from which the token is refused at the latest. A grant that is used twice gives no more time.
    package let tokenExpiresAt: Int64
    package let expiresAt: Int64

    package init(clientID: String, sid: String, role: String, tokenExpiresAt: Int64, expiresAt: Int64) {
        (self.clientID, self.sid, self.role) = (clientID, sid, role)
        (self.tokenExpiresAt, self.expiresAt) = (tokenExpiresAt, expiresAt)
    }
}

/// How a client proves who it is.
package struct ClientProof: Codable, Sendable, Equatable {
    /// `nil` only with an assertion, which states it too.
    package var clientID: String?
    package var secret: String?
    /// The assertion of `private_key_jwt` (RFC 7523).
    package var assertion: String?

    package init(clientID: String?, secret: String? = nil, assertion: String? = nil) {
        (self.clientID, self.secret, self.assertion) = (clientID, secret, assertion)
    }
}

/// A client's request for a token.
package struct ClientGrantRequest: Codable, Sendable, Equatable {
    package var proof: ClientProof
    /// The token endpoint's URL, which an assertion may have as its audience instead of the issuer; `nil` if it is unknown.
    package var tokenEndpoint: String?
    /// The client's IP address, for the limit of failed requests.
    package var address: String
    package var callID: String

    package init(proof: ClientProof, tokenEndpoint: String?, address: String, callID: String) {
        (self.proof, self.tokenEndpoint, self.address, self.callID) = (proof, tokenEndpoint, address, callID)
    }
}

/// The outcome of a `ClientGrantRequest`.
package struct ClientGrantAnswer: Codable, Sendable, Equatable {
    package var result: ClientTokenResult
    /// A sealed `ClientGrant`; only with `done`.
    package var grant: String?
    /// Seconds until another try is allowed; only with `rateLimited`.
    package var retryAfterSeconds: Int64?

    package init(_ result: ClientTokenResult, grant: String? = nil, retryAfterSeconds: Int64? = nil) {
        (self.result, self.grant, self.retryAfterSeconds) = (result, grant, retryAfterSeconds)
    }
}

/// A request to sign a client's token.
package struct ClientTokenIssueRequest: Codable, Sendable, Equatable {
    /// A sealed `ClientGrant`.
    package var grant: String

    package init(grant: String) { self.grant = grant }
}

/// A client's token.
package struct ClientAccessToken: Codable, Sendable, Equatable {
    package var accessToken: String
    /// Seconds.
    package var expiresIn: Int64

    package init(accessToken: String, expiresIn: Int64) {
        (self.accessToken, self.expiresIn) = (accessToken, expiresIn)
    }
}

/// A request to refuse every token of a client from now on.
package struct RevokeClientRequest: Codable, Sendable, Equatable {
    package var sid: String

    package init(sid: String) { self.sid = sid }
}

// The operator's requests. A secret is made by `latchkeyctl`, which sends only its hash: no service could reveal it, and a request
// that is sent twice gives no second secret.

/// A request to add a client.
package struct CreateClientRequest: Codable, Sendable, Equatable {
    package var clientID: String
    package var role: String
    /// The SHA-256 of the secret in base64url.
    package var secretHash: String

    package init(clientID: String, role: String, secretHash: String) {
        (self.clientID, self.role, self.secretHash) = (clientID, role, secretHash)
    }
}

/// A request to give a client another secret.
package struct RotateClientRequest: Codable, Sendable, Equatable {
    package var clientID: String
    /// The SHA-256 of the new secret in base64url.
    package var secretHash: String
    /// Whether the earlier secret ends now.
    package var endsEarlier: Bool

    package init(clientID: String, secretHash: String, endsEarlier: Bool) {
        (self.clientID, self.secretHash, self.endsEarlier) = (clientID, secretHash, endsEarlier)
    }
}

/// A request to give a client a key for assertions.
package struct ClientKeyRequest: Codable, Sendable, Equatable {
    package var clientID: String
    /// A public key as a JWK in JSON, or in PEM.
    package var key: String
    /// Whether the earlier key ends now.
    package var endsEarlier: Bool

    package init(clientID: String, key: String, endsEarlier: Bool) {
        (self.clientID, self.key, self.endsEarlier) = (clientID, key, endsEarlier)
    }
}

/// A request to revoke a client.
package struct EndClientRequest: Codable, Sendable, Equatable {
    package var clientID: String
    /// Whether the client's row goes too, so that its id may be given again.
    package var removes: Bool

    package init(clientID: String, removes: Bool) { (self.clientID, self.removes) = (clientID, removes) }
}

/// All clients.
package struct ClientList: Codable, Sendable, Equatable {
    /// A client without its secrets. Times are Unix seconds.
    package struct Client: Codable, Sendable, Equatable {
        package var clientID: String
        package var role: String
        package var createdAt: Int64
        /// When each valid secret was made, newest first.
        package var secretsMadeAt: [Int64]
        package var keyCount: Int64
        package var revokedAt: Int64?

        package init(
            clientID: String, role: String, createdAt: Int64, secretsMadeAt: [Int64], keyCount: Int64,
            revokedAt: Int64?
        ) {
            (self.clientID, self.role, self.createdAt) = (clientID, role, createdAt)
            (self.secretsMadeAt, self.keyCount, self.revokedAt) = (secretsMadeAt, keyCount, revokedAt)
        }
    }

    package static let clientsMax = 256
    package var clients: [Client]

    package init(clients: [Client]) { self.clients = clients }
}
