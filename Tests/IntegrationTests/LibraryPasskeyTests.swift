import CryptoPrimitives
import Foundation
import LatchkeyAuth
import LatchkeyAuthTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension Live {
    /// The client library with passkeys and second factors before real processes.
    @Suite(
        .serialized, .timeLimit(.minutes(5)),
        .stack([
            "LATCHKEY_POLICY": KeyPolicy.write(
                "library-passkeys",
                changing: [
                    "userIDPrefix: usr_": "userIDPrefix: usr_\npasskeys: { rpID: example.com }\nmfa: { totp: true }",
                    "claims: [phone, role]": "claims: [phone, role, auth_time, acr]",
                    "  - path: /api/**":
                        "  - { path: /api/hello, upstream: app, access: bearer, acr: aal2 }\n  - path: /api/**",
                ])
        ]))
    struct LibraryPasskeyTests {
        private let stack: LatchkeyStack
        private let auth: LatchkeyAuth
        private let device = PasskeyDevice()
        private let clock = TestClock(wall: Date())
        private let phone = LatchkeyStack.freshPhone()

        init() throws {
            stack = try #require(RunningStack.current)
            var configuration = LatchkeyAuth.Configuration(baseURL: try #require(URL(string: stack.gateway.base)))
            configuration.store = MemoryStore()
            configuration.clock = clock
            configuration.passkeys = device
            auth = LatchkeyAuth(configuration)
        }

        @Test func `a session by a code grows a passkey, which signs in at aal2 until it is removed`() async throws {
            try await signIn()
            #expect(try await hello() == 401)
            let passkey = try await auth.addPasskey(name: "Phone")
            #expect(passkey.name == "Phone" && passkey.activeFrom == nil && passkey.isBackedUp)
            clock.advance(by: .seconds(31))
            try await auth.stepUp()
            #expect(try await hello() == 200)
            await auth.signOut()

            #expect(try await auth.signInWithPasskey().isNewUser == false)
            #expect(auth.user?.phoneNumber == phone)
            #expect(try await hello() == 200)
            #expect(try await auth.renamePasskey(passkey.id, name: "Tablet").name == "Tablet")
            #expect(try await auth.passkeys().map(\.name) == ["Tablet"])
            #expect(await device.accepted.last == [await device.credentialID])
            clock.advance(by: .seconds(31))
            try await auth.removePasskey(passkey.id)
            #expect(await device.accepted.last == [])
            #expect(auth.state == .signedOut(.ended))
            await #expect(throws: AuthError.passkeyRefused) { try await auth.signInWithPasskey() }
        }

        @Test func `a closed sheet leaves the session, and nothing on the server`() async throws {
            try await signIn()
            await device.close()
            await #expect(throws: AuthError.cancelled) { try await auth.addPasskey() }
            #expect(try await auth.passkeys().isEmpty)
            await #expect(throws: AuthError.cancelled) { try await auth.signInWithPasskey() }
            #expect(try await auth.reloadUser().phoneNumber == phone)
            await auth.signOut()
        }

        @Test func `a sign-in by a code needs the second factor that its user has asked for`() async throws {
            try await signIn()
            let secret = try await auth.beginTOTP()
            await #expect(throws: AuthError.secondFactorRefused) { try await auth.activateTOTP(code: "000000") }
            let codes = try await auth.activateTOTP(code: AuthenticatorApp.code(secret.secret))
            #expect(codes.count == 10)
            clock.advance(by: .seconds(31))
            try await auth.stepUp(.recoveryCode(codes[0]))
            #expect(try await auth.requireSecondFactor(true).isRequired)
            await auth.signOut()

            var held: MfaToken?
            do throws(AuthError) { try await signIn() } catch {
                guard case .secondFactorRequired(let token, let methods) = error else { throw error }
                #expect(methods.contains("totp") && methods.contains("recovery"))
                held = token
            }
            let token = try #require(held)
            await #expect(throws: AuthError.secondFactorRefused) {
                try await auth.signInWithSecondFactor(token, .recoveryCode(codes[0]))
            }
            try await auth.signInWithSecondFactor(token, .recoveryCode(codes[1].lowercased()))
            #expect(try await hello() == 200)
            let factors = try await auth.secondFactors()
            #expect(factors.hasTOTP && factors.isRequired && factors.recoveryCodesLeft == 8)
            await auth.signOut()
        }

        private func signIn() async throws(AuthError) {
            let pending = try await auth.requestCode(phone: phone)
            let code: String
            do { code = try await stack.code(for: phone) } catch { throw .offline }
            try await auth.signIn(pending, code: code)
        }

        private func hello() async throws -> Int {
            let url = try #require(URL(string: stack.gateway.base + "/api/hello"))
            return try await auth.data(for: URLRequest(url: url)).1.statusCode
        }
    }
}

/// A device that keeps one passkey, behind a browser at the domain.
private actor PasskeyDevice: PasskeyProvider {
    nonisolated let takesReports = true
    private(set) var accepted: [[Data]] = []
    private var authenticator: SoftwareAuthenticator?
    private var isClosed = false

    var credentialID: Data { Data(authenticator?.credentialID ?? []) }

    /// Has the user close every sheet from now on.
    func close() { isClosed = true }

    func create(_ request: PasskeyCreation) async throws -> CreatedPasskey {
        if isClosed { throw AuthError.cancelled }
        let made = try SoftwareAuthenticator(
            relyingPartyID: request.relyingParty, origin: "https://\(request.relyingParty)",
            userHandle: [UInt8](request.userHandle))
        authenticator = made
        let registration = made.registration(challenge: [UInt8](request.challenge))
        return CreatedPasskey(
            credentialID: credentialID, clientDataJSON: Data(registration.clientData),
            attestationObject: Data(registration.attestationObject))
    }

    func sign(_ request: PasskeyRequest) async throws -> PasskeyAssertion {
        guard !isClosed, let authenticator else { throw AuthError.cancelled }
        let assertion = try authenticator.assertion(challenge: [UInt8](request.challenge))
        return PasskeyAssertion(
            credentialID: credentialID, clientDataJSON: Data(assertion.clientData),
            authenticatorData: Data(assertion.authenticatorData), signature: Data(assertion.signature),
            userHandle: Data(authenticator.userHandle))
    }

    func report(accepted credentialIDs: [Data], ofUser handle: Data, relyingParty: String) async {
        accepted.append(credentialIDs)
    }
}
