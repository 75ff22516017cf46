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

/// Registrations by signed-in users (guide to passkeys, hostile inputs 1, 2, 4, 26 to 28).
@Suite(.timeLimit(.minutes(10))) struct AddPasskeyTests {
    @Test(arguments: DatabaseKind.allCases)
    func `a passkey is added once, announced, and shown without the user's id`(_ engine: DatabaseKind) async throws {
        let fixture = try await PasskeyFixture(engine)
        let user = try await fixture.user()
        let options = try await fixture.options(user)
        let owner = try #require(options.owner)
        #expect(owner.name == user.phone && Base64URL.decode(owner.handle)?.count == 32)
        #expect(options.userVerification == "required" && options.credentials.isEmpty)
        let authenticator = try PasskeyFixture.authenticator(options)
        let request = try PasskeyFixture.request(options, authenticator, name: " Ann's phone ")
        let answer = try await fixture.register(request, user)
        let passkey = try #require(answer.passkey)
        #expect(answer.result == .done && passkey.name == "Ann's phone" && passkey.activeFrom == nil)
        #expect(
            passkey.aaguid == "00000000-0000-0000-0000-000000000000" && passkey.transports == ["hybrid", "internal"])
        #expect(passkey.credentialID == Base64URL.encode(authenticator.credentialID) && passkey.backedUp)
        // A repeat of the call has the same answer; another call has none.
        #expect(try await fixture.register(request, user) == answer)
        var again = request
        again.callID = "another"
        #expect(try await fixture.register(again, user).result == .passkeyInvalid)
        let caller = SignedInUser(id: user.id, sessionID: "s-1")
        #expect(try await fixture.list.list(caller).answered.passkeys == [passkey])
        #expect(try await fixture.identities.notices(to: user).map(\.kind) == [.passkeyAdded])
        #expect(try await fixture.identities.records(.passkeyAdded).map(\.detail) == [passkey.id])
        // The next options have the same handle, and exclude the credential.
        let next = try await fixture.options(user)
        #expect(next.owner?.handle == owner.handle && next.credentials.map(\.id) == [passkey.credentialID])
    }

    @Test(arguments: DatabaseKind.allCases)
    func `one challenge makes one passkey`(_ engine: DatabaseKind) async throws {
        let fixture = try await PasskeyFixture(engine)
        let user = try await fixture.user()
        let options = try await fixture.options(user)
        let results = try await concurrently(8) { _ in
            let request = try PasskeyFixture.request(options, try PasskeyFixture.authenticator(options))
            return try await fixture.register(request, user).result
        }
        #expect(results.filter { $0 == .done }.count == 1)
        #expect(results.allSatisfy { $0 == .done || $0 == .passkeyInvalid })
        #expect(try await fixture.stored(user).count == 1)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `of fifty registrations of one credential at once one succeeds`(_ engine: DatabaseKind) async throws {
        let fixture = try await PasskeyFixture(engine)
        let users = [try await fixture.user(), try await fixture.user("+15557654321")]
        let authenticator = try PasskeyFixture.authenticator(try await fixture.options(users[0]))
        let results = try await concurrently(50) { number in
            let user = users[number % 2]
            let request = try PasskeyFixture.request(try await fixture.options(user), authenticator)
            return try await fixture.register(request, user).result
        }
        #expect(results.filter { $0 == .done }.count == 1)
        #expect(results.filter { $0 == .passkeyExists }.count == 49)
        let stored = try await fixture.stored(users[0]) + fixture.stored(users[1])
        #expect(stored.map(\.record.id) == [authenticator.credentialID])
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a user has at most so many passkeys, also in parallel`(_ engine: DatabaseKind) async throws {
        let fixture = try await PasskeyFixture(engine) { $0.perUserMax = 3 }
        let user = try await fixture.user()
        let results = try await concurrently(12) { _ in
            let options = try await fixture.options(user)
            let request = try PasskeyFixture.request(options, try PasskeyFixture.authenticator(options))
            return try await fixture.register(request, user).result
        }
        #expect(results.filter { $0 == .done }.count == 3)
        #expect(results.filter { $0 == .tooManyPasskeys }.count == 9)
        #expect(try await fixture.stored(user).count == 3)
    }

    /// Changes a good request, or makes another in its place.
    enum Hostile: CaseIterable, Sendable {
        case assertionType, otherChallenge, otherUser, alteredSeal, signInSeal, expired, laterEpoch, notVerified,
            otherOrigin, otherRelyingParty, notDiscoverable
    }

    @Test(arguments: Hostile.allCases)
    func `a registration that breaks a rule is refused, with the reason only in the audit`(_ kind: Hostile) async throws
    {
        var fixture = try await PasskeyFixture(.sqlite)
        let user = try await fixture.user()
        let options = try await fixture.options(kind == .otherUser ? fixture.user("+15557654321") : user)
        var authenticator = try PasskeyFixture.authenticator(options)
        if kind == .notVerified { authenticator.flags = 0x19 }
        if kind == .otherOrigin { authenticator.origin = "https://auth.example.com.evil.com" }
        if kind == .otherRelyingParty { authenticator.relyingPartyID = "example.com" }
        var request = try PasskeyFixture.request(options, authenticator)
        switch kind {
        case .assertionType:
            let data = authenticator.clientData("webauthn.get", challenge: options.challenge)
            request.credential.response.clientDataJSON = Base64URL.encode(data)
        case .otherChallenge:
            request.challengeID = try await fixture.options(user).challengeID
        case .alteredSeal: request.challengeID = PasskeyFixture.altered(request.challengeID)
        case .signInSeal:
            let signIn = try fixture.signInOptions()
            request = try PasskeyFixture.request(
                PasskeyOptions(
                    challengeID: signIn.challengeID, challenge: signIn.challenge, expiresAt: 0, relyingPartyID: "",
                    userVerification: "", owner: options.owner), authenticator)
        case .expired: fixture.time = options.expiresAt
        case .laterEpoch:
            try await fixture.identities.users.put([.update(user.endingSessions(at: 1_005))], now: 1_005)
        case .notDiscoverable:
            request.credential.clientExtensionResults = try JSONDecoder().decode(
                RegistrationCredential.ExtensionResults.self, from: Data(#"{"credProps":{"rk":false}}"#.utf8))
        case .otherUser, .notVerified, .otherOrigin, .otherRelyingParty: break
        }
        #expect(try await fixture.register(request, user).result == .passkeyInvalid)
        #expect(try await fixture.stored(user).isEmpty)
        let expected =
            switch kind {
            case .assertionType: "ceremony"
            case .notVerified: "user_verification"
            case .otherOrigin: "origin"
            case .otherRelyingParty: "relying_party"
            case .notDiscoverable: "not_discoverable"
            default: "challenge"
            }
        #expect(try await fixture.refusals() == [expected])
    }

    @Test func `it needs a recent proof, and an account that may have one`() async throws {
        let fixture = try await PasskeyFixture(.sqlite)
        let user = try await fixture.user()
        let options = try await fixture.options(user)
        let request = try PasskeyFixture.request(options, try PasskeyFixture.authenticator(options))
        fixture.identities.tokenService.setSignedIn(at: PasskeyFixture.now - 300)
        let caller = fixture.identities.caller(user)
        #expect(try await fixture.add(request, caller).isRefused(.reauthenticationRequired))
        #expect(
            try await fixture.begin.register(BeginOwnPasskeyRequest(kind: .passkey), caller)
                .isRefused(.reauthenticationRequired))
        fixture.identities.tokenService.setSignedIn(at: PasskeyFixture.now)
        let reviewers = try await fixture.storage.signIn(.phone("+15550000009"), reviewEndsAt: 90_000).user
        let begun = try await fixture.begin.register(
            BeginOwnPasskeyRequest(kind: .passkey), fixture.identities.caller(reviewers))
        #expect(try begun.answered.options == nil)
        #expect(try await fixture.register(request, reviewers).result == .off)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a further passkey after a code alone waits, and its user can object`(_ engine: DatabaseKind) async throws {
        var fixture = try await PasskeyFixture(engine)
        let user = try await fixture.user()
        let (first, _) = try await fixture.passkey(of: user)
        #expect(first.activeFrom == nil)
        let (second, authenticator) = try await fixture.passkey(of: user)
        let start = try #require(second.activeFrom)
        #expect(start == PasskeyFixture.now + 24 * 3_600)
        #expect(try await fixture.identities.notices(to: user).map(\.kind).contains(.passkeyWaits))
        #expect(try await fixture.signIn(authenticator) == nil)
        // After a passkey it can be used at once.
        fixture.identities.tokenService.setFactors([.pop, .user])
        #expect(try await fixture.passkey(of: user).0.activeFrom == nil)
        // An objection needs no recent proof, and ends no session.
        fixture.identities.tokenService.setSignedIn(at: 0)
        let request = RemovePasskeyRequest(id: second.id, callID: "c")
        #expect(try await fixture.list.remove(request, fixture.identities.caller(user)).answered.result == .done)
        #expect(fixture.identities.tokenService.revocations.isEmpty)
        fixture.time = start
        #expect(try await fixture.signIn(authenticator) == nil)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a passkey that waited signs in from its time on, unless the user reports it`(
        _ engine: DatabaseKind
    ) async throws {
        var fixture = try await PasskeyFixture(engine)
        let user = try await fixture.user()
        _ = try await fixture.passkey(of: user)
        let (second, authenticator) = try await fixture.passkey(of: user)
        fixture.time = try #require(second.activeFrom)
        #expect(try await fixture.signIn(authenticator)?.method == "passkey:\(second.id)")
        fixture.time = PasskeyFixture.now
        let (third, _) = try await fixture.passkey(of: user)
        let notice = try #require(try await fixture.identities.notices(to: user).last { $0.kind == .passkeyWaits })
        let token = try #require(notice.token)
        let secret = try #require(try await fixture.identities.reporter.form(NotMeFormRequest(token: token)).secret)
        let report = NotMeReport(token: token, formSecret: secret)
        #expect(try await fixture.identities.reporter(report, requestID: nil).result == .done)
        #expect(!(try await fixture.stored(user).map { Hex.encode($0.id) }.contains(third.id)))
    }

    @Test(arguments: DatabaseKind.allCases)
    func `no removal and no new password spares a further passkey its delay`(_ engine: DatabaseKind) async throws {
        var fixture = try await PasskeyFixture(engine)
        let user = try await fixture.user()
        let (first, _) = try await fixture.passkey(of: user)
        // By a code, a password can be set and shown at once.
        let password = StoredPassword(hash: "h", version: 7, changedAt: fixture.time - 1)
        try await fixture.identities.users.put([.setPassword(password, of: user.id)], now: fixture.time)
        fixture.identities.tokenService.setFactors(.pwd)
        #expect(try await fixture.passkey(of: user).0.activeFrom != nil)
        fixture.identities.tokenService.setFactors(.sms)
        for passkey in try await fixture.stored(user) {
            let request = RemovePasskeyRequest(id: Hex.encode(passkey.id), callID: Hex.encode(passkey.id))
            #expect(try await fixture.list.remove(request, fixture.identities.caller(user)).answered.result == .done)
        }
        #expect(try await fixture.stored(user).isEmpty && first.activeFrom == nil)
        #expect(try await fixture.passkey(of: user).0.activeFrom != nil)
        // A day later the password counts.
        fixture.time += 86_400
        fixture.identities.tokenService.setFactors(.pwd)
        #expect(try await fixture.passkey(of: user).0.activeFrom == nil)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `beside one-time passwords the first passkey waits too`(_ engine: DatabaseKind) async throws {
        let fixture = try await PasskeyFixture(engine)
        let user = try await fixture.user()
        let factor = SecondFactor(sealedSecret: [1], activatedAt: fixture.time)
        try await fixture.identities.users.put([.setSecondFactor(factor, of: user.id)], now: fixture.time)
        fixture.identities.tokenService.setFactors(.sms)
        #expect(try await fixture.passkey(of: user).0.activeFrom == fixture.time + 24 * 3_600)
        fixture.identities.tokenService.setFactors(.otp)
        #expect(try await fixture.passkey(of: user).0.activeFrom == nil)
    }

    @Test func `the removal of a restore key delays no passkey, and the oldest one makes room`() async throws {
        let fixture = try await PasskeyFixture(.sqlite) { $0.perUserMax = 2 }
        let user = try await fixture.user()
        let keys = [
            try await fixture.passkey(of: user, .restore).0, try await fixture.passkey(of: user, .restore).0,
            try await fixture.passkey(of: user, .restore).0,
        ]
        let left = try await fixture.stored(user).map { Hex.encode($0.id) }
        #expect(left.count == 2 && Set(left).isSubset(of: keys.map(\.id)) && left.contains(keys[2].id))
        #expect(try await fixture.passkey(of: user).0.activeFrom == nil)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `the passkey of a sign-up belongs to the session that sends it`(_ engine: DatabaseKind) async throws {
        let fixture = try await PasskeyFixture(engine)
        let options = try #require(try fixture.begin(BeginPasskeyRequest(.signUp)).options)
        #expect(options.owner?.name == "" && options.expiresAt == PasskeyFixture.now + 900)
        let authenticator = try PasskeyFixture.authenticator(options)
        let user = try await fixture.user()
        #expect(try await fixture.register(try PasskeyFixture.request(options, authenticator), user).result == .done)
        #expect(try await fixture.signIn(authenticator)?.userID == user.id.text(prefix: UserFixture.prefix))
        let other = try await fixture.user("+15557654321")
        let stolen = try PasskeyFixture.request(options, try PasskeyFixture.authenticator(options))
        #expect(try await fixture.register(stolen, other).result == .passkeyInvalid)
    }
}
