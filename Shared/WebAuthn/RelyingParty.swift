import CryptoPrimitives
import StrictJSON

/// The host that passkeys belong to, and the origins of the sites and apps that may use them (L3 §4).
package struct RelyingParty: Sendable {
    /// The two ceremonies, by their `type` in the client data.
    enum Ceremony: String {
        case registration = "webauthn.create"
        case assertion = "webauthn.get"
    }

    private static let clientDataLimits = StrictJSON.Limits(bytesMax: 4096, depthMax: 4)

    private let idHash: [UInt8]
    /// Compared byte by byte: Swift's strings are also equal if they are only canonically equivalent.
    private let origins: Set<[UInt8]>

    /// - Parameters:
    ///   - id: The RP ID. Its own site, `https://ID`, is always allowed; apps on Apple's platforms state that origin too.
    ///   - origins: Further origins, exactly as clients state them.
    package init(id: String, origins: [String]) {
        idHash = SHA256.hash(Array(id.utf8))
        self.origins = Set((["https://" + id] + origins).map { Array($0.utf8) })
    }

    /// Returns the origin that an Android app states.
    ///
    /// - Parameter certificateSHA256: The SHA-256 of the certificate that signed the app.
    package static func androidOrigin(certificateSHA256: [UInt8]) -> String {
        "android:apk-key-hash:" + Base64URL.encode(certificateSHA256)
    }

    /// Checks the client data (L3 §7.1 steps 5 to 11, §7.2 steps 8 to 14), and returns its SHA-256, which authenticators sign.
    func checkedHash(
        ofClientData text: String, ceremony: Ceremony, challenge: [UInt8]
    ) throws(WebAuthnRefusal) -> [UInt8] {
        guard let bytes = Base64URL.decode(text) else { throw .clientData }
        let data: JSONValue
        do { data = try StrictJSON.parse(bytes, limits: Self.clientDataLimits) } catch { throw .clientData }
        guard let type = data["type"]?.stringValue, let stated = data["challenge"]?.stringValue,
            let origin = data["origin"]?.stringValue,
            let isCrossOrigin = (data["crossOrigin"] ?? .bool(false)).boolValue
        else { throw .clientData }
        guard type == ceremony.rawValue else { throw .ceremony }
        guard let stated = Base64URL.decode(stated), constantTimeEqual(stated, challenge) else { throw .challenge }
        guard origins.contains(Array(origin.utf8)) else { throw .origin }
        guard !isCrossOrigin, data["topOrigin"] == nil else { throw .frame }
        return SHA256.hash(bytes)
    }

    /// Checks the relying party and the flags (L3 §7.1 steps 14 to 18, §7.2 steps 15 to 18).
    func check(_ data: AuthenticatorData, requiresUserVerification: Bool) throws(WebAuthnRefusal) {
        guard data.relyingPartyIDHash == idHash else { throw .relyingParty }
        guard data.flags.contains(.userPresent) else { throw .userPresence }
        guard data.flags.contains(.userVerified) || !requiresUserVerification else { throw .userVerification }
        guard data.flags.contains(.backupEligible) || !data.flags.contains(.backedUp) else { throw .backupState }
    }
}

/// Returns the id of a credential, of 16 to 1,023 bytes, from the members `id`, `rawId` and `type` of its JSON (L3 §4, §7.1).
func credentialID(_ id: String, rawID: String, type: String) throws(WebAuthnRefusal) -> [UInt8] {
    guard type == "public-key", id.utf8.elementsEqual(rawID.utf8), let bytes = Base64URL.decode(id),
        (16...1023).contains(bytes.count)
    else { throw .credentialID }
    return bytes
}
