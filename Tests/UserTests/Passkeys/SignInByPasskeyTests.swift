import CryptoPrimitives
import Foundation
import InternalAPI
import Storage
import TestSupport
import Testing
import WebAuthn

@testable import UserCore

/// Sign-ins by passkeys (guide to passkeys, hostile inputs 1 to 4, 29, 30, 32 to 35 and 38).
@Suite(.timeLimit(.minutes(10))) struct SignInByPasskeyTests {
    @Test(arguments: DatabaseKind.allCases)
    func `a passkey signs its user in, once for each challenge`(_ engine: DatabaseKind) async throws {
        let fixture = try await PasskeyFixture(engine)
        let user = try await fixture.user()
        let (passkey, authenticator) = try await fixture.passkey(of: user)
        let options = try fixture.signInOptions()
        #expect(options.credentials.isEmpty && options.owner == nil)
        let presented = try PasskeyFixture.presented(options, authenticator)
        let proof = try #require(try await fixture.proof(presented, call: "c"))
        let grant = try #require(try await fixture.grant(proof))
        #expect(grant.userID == user.id.text(prefix: UserFixture.prefix) && grant.method == "passkey:\(passkey.id)")
        #expect(grant.factors == [.pop, .user] && grant.factors?.acr == AuthenticationFactors.aal2)
        // A repeat of the call gets the same grant. Another call gets none, with this assertion or another one for the challenge.
        let repeated = try #require(try await fixture.proof(presented, call: "c"))
        #expect(try await fixture.grant(repeated)?.id == grant.id)
        for presented in [presented, try PasskeyFixture.presented(options, authenticator)] {
            let other = try #require(try await fixture.proof(presented, call: "d"))
            #expect(try await fixture.resolve(other).isRefused(.attestationRefused))
        }
        #expect(try await fixture.stored(user).first?.lastUsedAt == fixture.time)
        #expect(try await fixture.identities.records(.created).count == 1)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `of twenty calls with one assertion one opens a session`(_ engine: DatabaseKind) async throws {
        let fixture = try await PasskeyFixture(engine)
        let (_, authenticator) = try await fixture.passkey(of: try await fixture.user())
        let presented = try PasskeyFixture.presented(try fixture.signInOptions(), authenticator)
        let grants = try await concurrently(20) { number in
            guard let proof = try await fixture.proof(presented, call: "c\(number)") else { return nil as Grant? }
            return try await fixture.grant(proof)
        }
        #expect(grants.compactMap { $0 }.count == 1)
    }

    /// Makes a bad assertion.
    enum Hostile: String, CaseIterable, Sendable {
        case registrationType, otherChallenge, alteredSeal, stepUpSeal, expired, noUserHandle, otherUserHandle,
            unknownCredential, otherKey, emptySignature, changedData, backupFalls, notVerified, notPresent, otherOrigin
    }

    private func assertion(
        _ kind: Hostile, _ good: SoftwareAuthenticator, _ user: User, _ fixture: inout PasskeyFixture
    ) async throws -> PresentedPasskey {
        var (authenticator, options) = (good, try fixture.signInOptions())
        switch kind {
        case .notVerified: authenticator.flags = 0x19
        case .notPresent: authenticator.flags = 0x1C
        case .backupFalls: authenticator.flags = 0x05
        case .otherOrigin: authenticator.origin = "http://auth.example.com"
        case .unknownCredential: authenticator.credentialID = SecureRandom.bytes(32)
        case .otherKey:
            var other = try SoftwareAuthenticator(
                relyingPartyID: good.relyingPartyID, origin: good.origin, userHandle: good.userHandle)
            other.credentialID = good.credentialID
            authenticator = other
        case .stepUpSeal:
            let caller = SignedInUser(id: user.id, sessionID: "s-1")
            options = try #require(try await fixture.begin.stepUp(caller).answered.options)
        default: break
        }
        var presented = try PasskeyFixture.presented(options, authenticator) { assertion in
            switch kind {
            case .noUserHandle: assertion.userHandle = nil
            case .otherUserHandle: assertion.userHandle = Base64URL.encode(SecureRandom.bytes(32))
            case .emptySignature: assertion.signature = []
            case .changedData: assertion.authenticatorData[36] ^= 1
            case .registrationType:
                assertion.clientData = authenticator.clientData("webauthn.create", challenge: options.challenge)
            default: break
            }
        }
        switch kind {
        case .otherChallenge: presented.challengeID = try fixture.signInOptions().challengeID
        case .alteredSeal: presented.challengeID = PasskeyFixture.altered(presented.challengeID)
        case .expired: fixture.time = options.expiresAt
        default: break
        }
        return presented
    }

    @Test(arguments: Hostile.allCases)
    func `a bad assertion is refused like any other, with the reason only in the audit`(_ kind: Hostile) async throws {
        var fixture = try await PasskeyFixture(.sqlite)
        let user = try await fixture.user()
        let (_, authenticator) = try await fixture.passkey(of: user)
        let presented = try await assertion(kind, authenticator, user, &fixture)
        let answer = try await fixture.prove(PasskeyProofRequest(passkey: presented, callID: "c"), requestID: nil)
        #expect(answer == IdentityTokenAnswer(.refused))
        let expected =
            switch kind {
            case .registrationType: "ceremony"
            case .noUserHandle, .otherUserHandle: "user_handle"
            case .unknownCredential, .otherKey, .emptySignature, .changedData: "signature"
            case .backupFalls: "backup_eligibility"
            case .notVerified: "user_verification"
            case .notPresent: "user_presence"
            case .otherOrigin: "origin"
            case .otherChallenge, .alteredSeal, .stepUpSeal, .expired: "challenge"
            }
        #expect(try await fixture.refusals() == [expected])
        #expect(try await fixture.stored(user).first?.lastUsedAt == nil)
    }

    @Test func `refusals leave one record an hour for each reason`() async throws {
        let fixture = try await PasskeyFixture(.sqlite)
        let (_, authenticator) = try await fixture.passkey(of: try await fixture.user())
        let prove = fixture.prove
        for _ in 0..<5 {
            let presented = try PasskeyFixture.presented(try fixture.signInOptions(), authenticator) {
                $0.signature = []
            }
            _ = try await prove(PasskeyProofRequest(passkey: presented, callID: "c"), requestID: nil)
        }
        #expect(try await fixture.refusals() == ["signature"])
        await prove.audit.round(all: true)
        #expect(try await fixture.refusals() == ["signature, 4 more", "signature"])
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a counter that does not rise refuses a key of one device, and admits a synced one`(
        _ engine: DatabaseKind
    ) async throws {
        for (flags, isAdmitted) in [(0x05, false), (0x1D, true)] as [(UInt8, Bool)] {
            let fixture = try await PasskeyFixture(engine)
            let user = try await fixture.user()
            var (_, authenticator) = try await fixture.passkey(of: user, flags: flags)
            authenticator.signCount = 7
            #expect(try await fixture.signIn(authenticator) != nil)
            for count in [7, 3, 0] as [UInt32] {
                authenticator.signCount = count
                #expect((try await fixture.signIn(authenticator) != nil) == isAdmitted)
            }
            #expect(try await fixture.stored(user).first?.record.signCount == 7)
            let records = try await fixture.identities.records(.passkeyCounter).compactMap(\.detail)
            #expect(records == [String](repeating: isAdmitted ? "synced copy" : "refused", count: 3))
            let notices = try await fixture.identities.notices(to: user).filter { $0.kind == .passkeyCounter }
            #expect(notices.count == (isAdmitted ? 0 : 3))
            authenticator.signCount = 8
            #expect(try await fixture.signIn(authenticator) != nil)
        }
    }

    @Test(arguments: DatabaseKind.allCases)
    func `two copies of a key with one counter get one session`(_ engine: DatabaseKind) async throws {
        let fixture = try await PasskeyFixture(engine)
        let user = try await fixture.user()
        var (_, authenticator) = try await fixture.passkey(of: user, flags: 0x05)
        authenticator.signCount = 9
        let copy = authenticator
        let grants = try await concurrently(10) { _ in try await fixture.signIn(copy) }
        #expect(grants.compactMap { $0 }.count == 1)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a removed passkey signs nobody in, and its sessions are revoked by its method`(
        _ engine: DatabaseKind
    ) async throws {
        let fixture = try await PasskeyFixture(engine)
        let user = try await fixture.user()
        let (passkey, authenticator) = try await fixture.passkey(of: user)
        let presented = try PasskeyFixture.presented(try fixture.signInOptions(), authenticator)
        let early = try #require(try await fixture.proof(presented))
        let caller = fixture.identities.caller(user)
        fixture.identities.tokenService.setSignedIn(at: 0)
        let request = RemovePasskeyRequest(id: passkey.id, callID: "c")
        #expect(try await fixture.list.remove(request, caller).isRefused(.reauthenticationRequired))
        fixture.identities.tokenService.setSignedIn(at: fixture.time)
        #expect(try await fixture.list.remove(request, caller).answered.result == .done)
        #expect(try await fixture.list.remove(request, caller).answered.result == .done)
        var other = request
        other.callID = "d"
        #expect(try await fixture.list.remove(other, caller).answered.result == .noPasskey)
        let after = try await fixture.identities.user(user.id)
        #expect(after.epoch == user.epoch + 1 && after.version == user.version + 1)
        let revocations = fixture.identities.tokenService.revocations
        #expect(revocations.map(\.method) == ["passkey:\(passkey.id)"] && revocations[0].epoch == after.epoch)
        #expect(fixture.identities.tokenService.rights.map(\.lowersFactors) == [true])
        // Also not by an assertion from before the removal.
        #expect(try await fixture.resolve(early).isRefused(.attestationRefused))
        #expect(try await fixture.signIn(authenticator) == nil)
        #expect(try await fixture.identities.decisions(about: user).contains(.passkeyLost))
        #expect(try await fixture.identities.notices(to: user).map(\.kind).last == .passkeyRemoved)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a restore key shows no user, is bound to the epoch, and leaves quietly`(_ engine: DatabaseKind) async throws {
        let fixture = try await PasskeyFixture(engine)
        let user = try await fixture.user()
        let (restore, authenticator) = try await fixture.passkey(of: user, .restore)
        #expect(restore.kind == .restore && restore.activeFrom == nil)
        #expect(try await fixture.signIn(authenticator)?.factors == .restore)
        #expect(try await fixture.identities.records(.passkeyRestored).map(\.detail) == [restore.id])
        // It needs no recent proof to leave, and revokes nothing.
        fixture.identities.tokenService.setSignedIn(at: 0)
        let removal = RemovePasskeyRequest(id: restore.id, callID: "c")
        #expect(try await fixture.list.remove(removal, fixture.identities.caller(user)).answered.result == .done)
        #expect(try await fixture.identities.user(user.id).epoch == user.epoch)
        fixture.identities.tokenService.setSignedIn(at: fixture.time)
        let (_, second) = try await fixture.passkey(of: user, .restore)
        try await fixture.identities.users.put([.update(user.endingSessions(at: 1_005))], now: 1_005)
        #expect(try await fixture.signIn(second) == nil)
        #expect(try await fixture.refusals().first == "outdated")
        // The next one takes its place.
        let (third, _) = try await fixture.passkey(of: try await fixture.identities.user(user.id), .restore)
        #expect(try await fixture.stored(user).map { Hex.encode($0.id) } == [third.id])
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a sign-in cancels a deletion only if its challenge is younger`(_ engine: DatabaseKind) async throws {
        var fixture = try await PasskeyFixture(engine)
        let user = try await fixture.user()
        let (_, authenticator) = try await fixture.passkey(of: user)
        let presented = try PasskeyFixture.presented(try fixture.signInOptions(), authenticator)
        let early = try #require(try await fixture.proof(presented))
        _ = try await fixture.storage.giveUp(user, dueAt: 90_000, now: fixture.time + 1)
        fixture.time += 2
        #expect(try await fixture.resolve(early).isRefused(.attestationRefused))
        #expect(try await fixture.signIn(authenticator) != nil)
        #expect(try await fixture.identities.user(user.id).deletion == nil)
        // Once the account is deactivated, or its deletion due, a valid assertion tells why it does not sign in.
        let restored = try await fixture.identities.user(user.id)
        _ = try await fixture.storage.giveUp(restored, dueAt: fixture.time, now: fixture.time - 1)
        let proof = try #require(
            try await fixture.proof(try PasskeyFixture.presented(try fixture.signInOptions(), authenticator)))
        #expect(try await fixture.resolve(proof).isRefused(.deletionScheduled))
        #expect(try await fixture.storage.queries.find(.identity(OwnIdentityFixture.number))?.user.id == user.id)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `for the owner of a passkey the idleness of the number counts`(_ engine: DatabaseKind) async throws {
        var fixture = try await PasskeyFixture(engine)
        let user = try await fixture.user()
        let (_, authenticator) = try await fixture.passkey(of: user)
        fixture.time = PasskeyFixture.now + 200 * 86_400
        #expect(try await fixture.signIn(authenticator) != nil)
        // The account is in use today, but no sign-in has shown for months that they have the number.
        fixture.identities.tokenService.setNewestUse(fixture.time)
        let resolver = fixture.identities.resolver(at: fixture.time, idleMonths: 4)
        let code = try fixture.identities.code(OwnIdentityFixture.number, at: fixture.time)
        #expect(try await resolver(code).isRefused(.secondIdentityRequired))
        let held = try await resolver.held(HeldSignInRequest(attestation: code))
        #expect(held.methods == ["passkey"])
        // Its next owner begins an account of their own, and the other stays.
        let request = ResolveRequest(
            attestation: try fixture.identities.code(OwnIdentityFixture.number, at: fixture.time), name: nil,
            newAccount: true)
        let begun = try await resolver(request, requestID: nil, logger: .silent).answered
        #expect(begun.isNewUser)
        #expect(try await fixture.identities.user(user.id).deletion == nil)
        #expect(try await fixture.signIn(authenticator)?.userID == user.id.text(prefix: UserFixture.prefix))
    }
    @Test(arguments: DatabaseKind.allCases)
    func `a code to the number within a session keeps the number`(_ engine: DatabaseKind) async throws {
        var fixture = try await PasskeyFixture(engine)
        let user = try await fixture.user()
        _ = try await fixture.passkey(of: user)
        fixture.time = PasskeyFixture.now + 200 * 86_400
        // A reauthentication by a code writes the same change.
        let use = UserChange.noteUse(OwnIdentityFixture.number, at: fixture.time - 86_400)
        try await fixture.identities.users.note([use], now: fixture.time)
        let resolver = fixture.identities.resolver(at: fixture.time, idleMonths: 4)
        let code = try fixture.identities.code(OwnIdentityFixture.number, at: fixture.time)
        #expect(try await resolver(code).answered.user.id == user.id.text(prefix: UserFixture.prefix))
    }
}
