import AuthAPI
import InternalAPI
import StrictJSON
import WebAuthn

/// The parts of the policy's passkeys that the native API shows.
struct NativePasskeys: Sendable {
    /// The name of the app on the system's sheet.
    var appName = ""
    /// Whether there are options without a session for a registration.
    var signUp = false
    /// The origins of other domains that use the passkeys.
    var relatedOrigins: [String] = []
}

/// The body of `POST /auth/passkeys/verify`.
struct PasskeyVerifyBody: Decodable {
    let challengeId: String
    let credential: AssertionCredential
    let deviceName: String?

    var passkey: PresentedPasskey { PresentedPasskey(challengeID: challengeId, credential: credential) }
}

/// The body of `POST /users/me/passkeys/options`, which may be missing.
struct PasskeyOptionsBody: Decodable {
    let kind: PasskeyKind?
}

/// The body of `PATCH /users/me/passkeys/{id}`.
struct PasskeyNameBody: Decodable {
    let name: String
}

/// The body of `POST /auth/reauthenticate`: a proof, or the assertion of a passkey.
struct StepUpBody: Decodable {
    let proof: ReauthenticationBody
    let passkey: PresentedPasskey?

    init(from decoder: any Decoder) throws {
        proof = try ReauthenticationBody(from: decoder)
        let members = try decoder.container(keyedBy: MemberName.self)
        let credential = try members.decodeIfPresent(AssertionCredential.self, forKey: MemberName("credential"))
        passkey = try credential.map {
            PresentedPasskey(
                challengeID: try members.decode(String.self, forKey: MemberName("challengeId")), credential: $0)
        }
    }
}

/// A passkey as its user sees it; times are Unix seconds.
struct PasskeySummary: Codable {
    let id: String
    let name: String
    let kind: PasskeyKind
    let createdAt: Int64
    let lastUsedAt: Int64?
    let activeFrom: Int64?
    let backedUp: Bool
    let transports: [String]
    let aaguid: String
    let credentialId: String
    let userHandle: String

    init(_ passkey: OwnPasskey) {
        (id, name, kind) = (passkey.id, passkey.name, passkey.kind)
        (createdAt, lastUsedAt, activeFrom) = (passkey.createdAt, passkey.lastUsedAt, passkey.activeFrom)
        (backedUp, transports, aaguid) = (passkey.backedUp, passkey.transports, passkey.aaguid)
        (credentialId, userHandle) = (passkey.credentialID, passkey.userHandle)
    }
}

/// The response to `GET /users/me/passkeys`.
struct PasskeyList: Codable {
    let passkeys: [PasskeySummary]
}

/// The response to each request for options.
struct PasskeyOptionsReply: Encodable {
    let challengeId: String
    let expiresAt: Int64
    let publicKey: PublicKeyOptions

    /// - Parameter timeoutSeconds: How long the system's sheet may stay open.
    init(_ options: PasskeyOptions, appName: String, timeoutSeconds: Int64 = 300) {
        (challengeId, expiresAt) = (options.challengeID, options.expiresAt)
        publicKey = PublicKeyOptions(options, appName: appName, timeoutSeconds: timeoutSeconds)
    }
}

/// Options in the JSON that `parseCreationOptionsFromJSON()` and `parseRequestOptionsFromJSON()` read (L3 §5.1.8, §5.1.9).
struct PublicKeyOptions: Encodable {
    struct Entity: Encodable {
        let id: String
        let name: String
        var displayName: String?
    }

    struct Parameters: Encodable {
        let type = "public-key"
        let alg: Int64
    }

    struct Descriptor: Encodable {
        let type = "public-key"
        let id: String
        /// `nil` if they are not known: some clients read an empty list as none.
        let transports: [String]?
    }

    struct Selection: Encodable {
        let residentKey = "required"
        let requireResidentKey = true
        let userVerification: String
    }

    let challenge: String
    /// Milliseconds.
    let timeout: Int64

    // The members of a registration.
    private(set) var rp: Entity?
    private(set) var user: Entity?
    private(set) var pubKeyCredParams: [Parameters]?
    private(set) var excludeCredentials: [Descriptor]?
    private(set) var authenticatorSelection: Selection?
    private(set) var attestation: String?

    // The members of an assertion.
    private(set) var rpId: String?
    private(set) var userVerification: String?
    private(set) var allowCredentials: [Descriptor]?

    init(_ options: PasskeyOptions, appName: String, timeoutSeconds: Int64) {
        challenge = options.challenge
        timeout = timeoutSeconds * 1_000
        let credentials = options.credentials.map {
            Descriptor(id: $0.id, transports: $0.transports.isEmpty ? nil : $0.transports)
        }
        guard let owner = options.owner else {
            (rpId, userVerification) = (options.relyingPartyID, options.userVerification)
            allowCredentials = credentials
            return
        }
        rp = Entity(id: options.relyingPartyID, name: appName)
        user = Entity(id: owner.handle, name: owner.name, displayName: owner.name)
        pubKeyCredParams = COSEKey.algorithms.map { Parameters(alg: $0) }
        excludeCredentials = credentials
        authenticatorSelection = Selection(userVerification: options.userVerification)
        attestation = "none"
    }
}

// The members of WebAuthn's JSON are those of its specification, which no document of ours repeats.

extension AssertionCredential: ShapeStating {
    static var shape: JSONShape { .any }
}

extension RegistrationCredential: ShapeStating {
    static var shape: JSONShape { .any }
}

extension PasskeyOptionsReply {
    static var shape: JSONShape {
        .object(
            name: "PasskeyOptionsReply",
            [
                .init(name: "challengeId", shape: .string), .init(name: "expiresAt", shape: .integer),
                .init(name: "publicKey", shape: .any),
            ])
    }
}

extension StepUpBody: ShapeStating {
    static var shape: JSONShape {
        .object(
            name: "ReauthenticationBody",
            JSONShape(of: ReauthenticationBody.self).members + [
                .init(name: "challengeId", shape: .string, isRequired: false),
                .init(name: "credential", shape: .any, isRequired: false),
            ])
    }
}
