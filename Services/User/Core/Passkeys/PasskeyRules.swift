import CryptoPrimitives
import InternalAPI
import Policies
import ServiceKit
import WebAuthn

/// The policy's section `passkeys` with the relying party, and the seal of challenges.
struct PasskeyRules: Sendable {
    let policy: PasskeyPolicy
    let relyingPartyID: String
    let relyingParty: RelyingParty
    let seal: PasskeySeal

    /// - Parameter apps: the apps of the policy, whose origins are accepted too.
    init(_ policy: PasskeyPolicy, relyingPartyID: String, apps: AppsPolicy, ring: KeyRing) {
        (self.policy, self.relyingPartyID) = (policy, relyingPartyID)
        relyingParty = RelyingParty(
            id: relyingPartyID,
            origins: policy.origins + policy.relatedOrigins
                + apps.certificateHashes.map { RelyingParty.androidOrigin(certificateSHA256: $0) })
        seal = PasskeySeal(ring: ring)
    }

    /// Reads the section; `nil` if the policy has none, or nothing states the relying party, which the check of the policy refuses.
    init?(_ context: ProcessContext, _ keys: UserKeys) throws {
        guard let policy = context.policy.passkeys,
            let id = context.policy.relyingPartyID(publicURL: try context.publicURL())
        else { return nil }
        self.init(policy, relyingPartyID: id, apps: context.policy.apps, ring: keys.storage)
    }

    var requiresUserVerification: Bool { policy.userVerification == .required }

    /// Returns the options of a ceremony for its challenge.
    ///
    /// - Parameter name: the user's phone number or email address, which their devices show.
    func options(
        _ challenge: PasskeyChallenge, name: String = "", credentials: [StoredPasskey] = []
    ) throws -> PasskeyOptions {
        PasskeyOptions(
            challengeID: try seal.seal(challenge), challenge: challenge.challenge, expiresAt: challenge.expiresAt,
            relyingPartyID: relyingPartyID,
            userVerification: challenge.kind == .restore
                ? "discouraged" : challenge.requiresUserVerification ? "required" : "preferred",
            owner: challenge.handle.map { PasskeyOptions.Owner(handle: $0, name: name) },
            credentials: credentials.map {
                PasskeyOptions.Descriptor(
                    id: Base64URL.encode($0.record.id), transports: PasskeyTransports.names($0.transports))
            })
    }
}
