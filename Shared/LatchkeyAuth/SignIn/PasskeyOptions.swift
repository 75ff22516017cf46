import Foundation

/// The server's options for a passkey, in the JSON of W3C Web Authentication Level 3 section 5.1.
struct PasskeyOptions: Sendable {
    /// The sealed challenge, which goes back with the credential.
    let challengeID: String
    private let publicKey: [String: JSONValue]

    /// Reads a response, or returns `nil` if it is not the expected JSON.
    init?(_ json: JSONValue) {
        guard let id = json.members?["challengeId"]?.text, let publicKey = json.members?["publicKey"]?.members else {
            return nil
        }
        (challengeID, self.publicKey) = (id, publicKey)
    }

    /// The options for a new passkey.
    var creation: PasskeyCreation? {
        let user = publicKey["user"]?.members
        guard let relyingParty = publicKey["rp"]?.members?["id"]?.text, let challenge = publicKey["challenge"]?.bytes,
            let handle = user?["id"]?.bytes
        else { return nil }
        let name = user?["name"]?.text ?? ""
        let selection = publicKey["authenticatorSelection"]?.members
        return PasskeyCreation(
            relyingParty: relyingParty, challenge: challenge, userHandle: handle, userName: name,
            displayName: user?["displayName"]?.text ?? name,
            userVerification: Self.verification(selection?["userVerification"]),
            excludedCredentialIDs: Self.ids(publicKey["excludeCredentials"]))
    }

    /// The options for the use of a passkey.
    func request(autoFill: Bool) -> PasskeyRequest? {
        guard let relyingParty = publicKey["rpId"]?.text, let challenge = publicKey["challenge"]?.bytes else {
            return nil
        }
        return PasskeyRequest(
            relyingParty: relyingParty, challenge: challenge,
            userVerification: Self.verification(publicKey["userVerification"]),
            allowedCredentialIDs: Self.ids(publicKey["allowCredentials"]), isAutoFill: autoFill)
    }

    /// The time in which a challenge that waits for the keyboard is used: the server accepts it for a quarter longer.
    var patience: Duration {
        let milliseconds = min(max(publicKey["timeout"]?.whole ?? 300_000, 10_000), 3_600_000)
        return .milliseconds(milliseconds * 3 / 4)
    }

    /// The members by which a credential for the challenge is sent.
    func members(_ credential: JSONValue) -> [String: JSONValue?] {
        ["challengeId": .string(challengeID), "credential": credential]
    }

    /// A server that does not say it wants the user to be verified.
    private static func verification(_ json: JSONValue?) -> UserVerification {
        json?.text.flatMap(UserVerification.init(rawValue:)) ?? .required
    }

    private static func ids(_ json: JSONValue?) -> [Data] {
        guard case .array(let descriptors)? = json else { return [] }
        return descriptors.compactMap { $0.members?["id"]?.bytes }
    }
}

extension CreatedPasskey {
    /// The credential as the server reads it. The system does not say by which ways the passkey can be reached.
    var json: JSONValue {
        .credential(
            credentialID,
            [
                "clientDataJSON": .base64URL(clientDataJSON), "attestationObject": .base64URL(attestationObject),
                "transports": .array([]),
            ])
    }
}

extension PasskeyAssertion {
    /// The credential as the server reads it.
    var json: JSONValue {
        .credential(
            credentialID,
            [
                "clientDataJSON": .base64URL(clientDataJSON), "authenticatorData": .base64URL(authenticatorData),
                "signature": .base64URL(signature), "userHandle": .base64URL(userHandle),
            ])
    }
}

extension JSONValue {
    /// The bytes of a text in base64url, or `nil` for any other value.
    var bytes: Data? { text.flatMap(Base64URL.decode).map { Data($0) } }

    static func base64URL(_ bytes: Data) -> JSONValue { .string(Base64URL.encode([UInt8](bytes))) }

    fileprivate static func credential(_ id: Data, _ response: [String: JSONValue]) -> JSONValue {
        .object([
            "id": .base64URL(id), "rawId": .base64URL(id), "type": .string("public-key"),
            "response": .object(response), "clientExtensionResults": .object([:]),
        ])
    }
}
