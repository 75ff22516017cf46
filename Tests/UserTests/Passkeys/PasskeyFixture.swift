import CryptoPrimitives
import Foundation
import InternalAPI
import Policies
import Storage
import StrictJSON
import TestSupport
import Testing
import WebAuthn

@testable import UserCore

/// Passkeys over an engine: the use cases, the authenticator of the tests, and a token-service that the test commands.
struct PasskeyFixture: Sendable {
    static let relyingPartyID = "auth.example.com"
    static let now = OwnIdentityFixture.now

    private(set) var identities: OwnIdentityFixture
    let rules: PasskeyRules
    /// Unix time in seconds.
    var time: Int64 {
        get { identities.time }
        set {
            identities.time = newValue
            identities.tokenService.setSignedIn(at: newValue)
        }
    }

    init(_ engine: DatabaseKind, _ change: (inout PasskeyPolicy) -> Void = { _ in }) async throws {
        var fixture = try await OwnIdentityFixture(engine)
        fixture.sendsTexts = true
        var policy = PasskeyPolicy()
        (policy.signUp, policy.restoreKeys) = (true, true)
        change(&policy)
        identities = fixture
        rules = PasskeyRules(
            policy, relyingPartyID: Self.relyingPartyID, apps: AppsPolicy(), ring: fixture.keys.storage)
    }

    var storage: StorageReplica { identities.storage }
    var begin: BeginPasskey { BeginPasskey(rules: rules, own: identities.own()) }
    var add: AddPasskey { AddPasskey(rules: rules, own: identities.own(), audit: audit) }
    var list: OwnPasskeyList { OwnPasskeyList(own: identities.own()) }
    var audit: RefusedTokenAudit {
        RefusedTokenAudit(store: identities.users, now: { [time] in time }, logger: .silent)
    }
    var prove: ProvePasskey {
        ProvePasskey(
            rules: rules, store: identities.users, tags: CallTags(ring: identities.keys.storage),
            proofKeys: identities.keys.proofs, audit: audit, now: { [time] in time })
    }
    var stepUp: StepUpByPasskey {
        StepUpByPasskey(prove: prove, notices: AccountNotices(seal: OutboxSeal(ring: identities.keys.storage)))
    }

    /// A user with a phone number, who has signed in by a code a moment ago.
    func user(_ phone: String = "+15551234567") async throws -> User { try await storage.user(phone, now: 1_000) }

    // MARK: - Registration

    /// Returns an authenticator for the options of a registration.
    static func authenticator(
        _ options: PasskeyOptions, flags: UInt8 = SoftwareAuthenticator.syncedFlags
    ) throws
        -> SoftwareAuthenticator
    {
        var authenticator = try SoftwareAuthenticator(
            relyingPartyID: relyingPartyID, origin: "https://" + relyingPartyID,
            userHandle: Base64URL.decode(try #require(options.owner).handle) ?? [])
        authenticator.flags = flags
        return authenticator
    }

    func options(_ user: User, _ kind: PasskeyKind = .passkey) async throws -> PasskeyOptions {
        let answer = try await begin.register(BeginOwnPasskeyRequest(kind: kind), identities.caller(user)).answered
        return try #require(answer.options)
    }

    static func request(
        _ options: PasskeyOptions, _ authenticator: SoftwareAuthenticator, name: String? = nil,
        call: String = UUIDText.random()
    ) throws -> AddPasskeyRequest {
        let registration = authenticator.registration(challenge: Base64URL.decode(options.challenge) ?? [])
        return AddPasskeyRequest(
            challengeID: options.challengeID,
            credential: try JSONDecoder().decode(RegistrationCredential.self, from: Data(registration.json.utf8)),
            name: name, callID: call)
    }

    func register(_ request: AddPasskeyRequest, _ user: User) async throws -> AccountAnswer {
        try await add(request, identities.caller(user)).answered
    }

    /// A user's new passkey, which can be used at once if the session is of a code and the user has no other.
    func passkey(
        of user: User, _ kind: PasskeyKind = .passkey, flags: UInt8 = SoftwareAuthenticator.syncedFlags
    ) async throws -> (OwnPasskey, SoftwareAuthenticator) {
        let options = try await options(user, kind)
        let authenticator = try Self.authenticator(options, flags: flags)
        let answer = try await register(try Self.request(options, authenticator), user)
        #expect(answer.result == .done)
        return (try #require(answer.passkey), authenticator)
    }

    /// A sealed challenge with another first character.
    static func altered(_ challengeID: String) -> String {
        (challengeID.hasPrefix("A") ? "B" : "A") + challengeID.dropFirst()
    }

    // MARK: - Assertions

    func signInOptions() throws -> PasskeyOptions {
        try #require(try begin(BeginPasskeyRequest(.signIn)).options)
    }

    static func presented(
        _ options: PasskeyOptions, _ authenticator: SoftwareAuthenticator,
        _ change: (inout SoftwareAssertion) -> Void = { _ in }
    ) throws -> PresentedPasskey {
        var assertion = try authenticator.assertion(challenge: Base64URL.decode(options.challenge) ?? [])
        change(&assertion)
        return PresentedPasskey(
            challengeID: options.challengeID,
            credential: try JSONDecoder().decode(AssertionCredential.self, from: Data(assertion.json.utf8)))
    }

    func proof(_ passkey: PresentedPasskey, call: String = UUIDText.random()) async throws -> String? {
        let answer = try await prove(PasskeyProofRequest(passkey: passkey, callID: call), requestID: "r-1")
        #expect((answer.result == .proved) == (answer.proof != nil))
        return answer.proof
    }

    func resolve(_ proof: String) async throws -> ResolveAttestation.Outcome {
        var resolver = identities.resolver(at: time)
        resolver.notices = AccountNotices(seal: OutboxSeal(ring: identities.keys.storage), sendsTexts: true)
        return try await resolver(
            ResolveRequest(attestation: proof, name: nil), requestID: "r-1", logger: .silent)
    }

    /// Signs in by a passkey; `nil` if it is refused at any step.
    func signIn(
        _ authenticator: SoftwareAuthenticator, _ change: (inout SoftwareAssertion) -> Void = { _ in }
    ) async throws -> Grant? {
        let passkey = try Self.presented(try signInOptions(), authenticator, change)
        guard let proof = try await proof(passkey) else { return nil }
        return try await grant(proof)
    }

    func grant(_ proof: String) async throws -> Grant? {
        guard case .answer(let answer) = try await resolve(proof) else { return nil }
        #expect(!answer.isNewUser)
        return try Grant.open(answer.grant, with: identities.keys.grants, now: time)
    }

    /// The stored passkeys of a user.
    func stored(_ user: User) async throws -> [StoredPasskey] {
        try await identities.users.facts(UserQuestion(.identities(user.id), askedAt: time)).passkeys
    }

    /// The numbers of refusals, by their reasons.
    func refusals() async throws -> [String] {
        try await identities.records(.passkeyRefused).compactMap(\.detail)
    }
}
