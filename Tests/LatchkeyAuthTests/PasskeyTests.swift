import Foundation
import LatchkeyAuthTesting
import Testing

@testable import LatchkeyAuth

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The parts of passkeys that the scenarios do not show: the keyboard's offer, the sheet for a new account, and reports.
@Suite struct PasskeyTests {
    private let transport = ScriptedTransport()
    private let clock = TestClock()
    private let passkeys = ScriptedPasskeys()
    private static let request = #"{"challenge":"AA","rpId":"example.com","timeout":300000}"#
    private static let creation = #"{"challenge":"AA","rp":{"id":"example.com"},"user":{"id":"aGFuZGxlLTE","name":""}}"#
    private static let row = #"{"id":"psk_1","name":"Phone","kind":"passkey","createdAt":1800000000}"#

    private func makeAuth() throws -> LatchkeyAuth {
        var configuration = LatchkeyAuth.Configuration(baseURL: try #require(URL(string: "https://api.example.com")))
        configuration.store = MemoryStore()
        configuration.surroundings = FixedSurroundings()
        (configuration.transport, configuration.clock, configuration.passkeys) = (transport, clock, passkeys)
        offer("/auth/passkeys/options", Self.request)
        offer("/auth/passkeys/signup/options", Self.creation)
        offer("/users/me/passkeys/options", Self.creation)
        transport.on("POST", "/auth/passkeys/verify", .signIn())
        transport.on("POST", "/auth/otp/request", .json(200, ["status": "pending"]))
        transport.on("POST", "/auth/otp/verify", .signIn())
        transport.on("POST", "/users/me/passkeys", .raw(201, Self.row))
        return LatchkeyAuth(configuration)
    }

    private func offer(_ path: String, _ publicKey: String) {
        transport.on("POST", path, .raw(200, #"{"challengeId":"ch_1","publicKey":\#(publicKey)}"#))
    }

    private func sent(_ path: String) -> [URLRequest] { transport.requests.filter { $0.url?.path() == path } }

    private func body(_ path: String) -> [String: JSONValue] {
        sent(path).last?.httpBody.flatMap(JSONText.decode)?.members ?? [:]
    }

    private func until(_ isSo: () -> Bool) async throws {
        while !isSo() { try await Task.sleep(for: .milliseconds(1)) }
    }

    // MARK: - The keyboard

    @Test func `the keyboard offers a passkey, and a challenge that gets old is replaced`() async throws {
        let auth = try makeAuth()
        passkeys.answers(.open)
        let waiting = Task { try await auth.signInWithPasskey(autoFill: true) }
        try await until { passkeys.requests.count == 1 }
        #expect(passkeys.requests.last?.isAutoFill == true)
        await clock.waitForSleepers()
        clock.advance(by: .seconds(224))
        #expect(passkeys.requests.count == 1)
        passkeys.answers(.given)
        clock.advance(by: .seconds(1))
        #expect(try await waiting.value.user.id == "usr_1")
        #expect(sent("/auth/passkeys/options").count == 2 && sent("/auth/passkeys/verify").count == 1)
    }

    @Test func `a sheet ends the keyboard's offer`() async throws {
        let auth = try makeAuth()
        passkeys.answers(.open)
        let waiting = Task { try await auth.signInWithPasskey(autoFill: true) }
        try await until { passkeys.requests.count == 1 }
        passkeys.answers(.given)
        try await auth.signInWithPasskey()
        await #expect(throws: AuthError.cancelled) { try await waiting.value }
        #expect(passkeys.requests.map(\.isAutoFill) == [true, false])
        #expect(sent("/auth/passkeys/verify").count == 1)
    }

    @Test func `an offer ends with its task, and the session that there is stays`() async throws {
        let auth = try makeAuth()
        try await auth.signInWithPasskey()
        passkeys.answers(.open)
        for isAutoFill in [true, false] {
            let count = passkeys.requests.count
            let waiting = Task { try await auth.signInWithPasskey(autoFill: isAutoFill) }
            try await until { passkeys.requests.count > count }
            waiting.cancel()
            await #expect(throws: AuthError.cancelled) { try await waiting.value }
        }
        #expect(try await auth.accessToken() == "access-1")
        #expect(sent("/auth/passkeys/verify").count == 1)
    }

    @Test func `a sheet that the system has lost gives way to the next one`() async throws {
        let auth = try makeAuth()
        passkeys.answers(.open)
        let lost = Task { try await auth.signInWithPasskey() }
        try await until { passkeys.requests.count == 1 }
        clock.advance(by: .seconds(3))
        passkeys.answers(.given)
        #expect(try await auth.signInWithPasskey().user.id == "usr_1")
        await #expect(throws: AuthError.cancelled) { try await lost.value }
    }

    @Test func `a keeper that fails is no lost connection`() async throws {
        let auth = try makeAuth()
        let failure = AuthError.refused(status: 0, code: "domain_not_associated", requestID: nil)
        passkeys.answers(.failing(failure))
        await #expect(throws: failure) { try await auth.signInWithPasskey() }
        #expect(passkeys.requests.count == 1)
        #expect(auth.state == .signedOut(nil))
    }

    // MARK: - The sheet for a new account

    @Test func `a sign-up has one code sent, signs in, and then adds the passkey`() async throws {
        let auth = try makeAuth()
        passkeys.signsUp(phone: "+15551234567", name: "Betty")
        let pending = try #require(try await auth.signUp())
        #expect(auth.state == .signedOut(nil) && sent("/users/me/passkeys").isEmpty)
        // The system may end the app while the user reads the message.
        let kept = try JSONDecoder().decode(PendingSignUp.self, from: JSONEncoder().encode(pending))
        #expect(kept == pending && "\(kept)" == "PendingSignUp(‹redacted›)")
        #expect(try await auth.finishSignUp(kept, code: "123456").user.id == "usr_1")
        #expect(
            transport.requests.compactMap { $0.url?.path() }.filter { $0 != "/.well-known/latchkey" } == [
                "/auth/passkeys/signup/options", "/auth/otp/request", "/auth/otp/verify", "/users/me/passkeys",
            ])
        #expect(body("/auth/otp/verify")["name"] == .string("Betty"))
        let passkey = body("/users/me/passkeys")
        #expect(passkey["challengeId"] == .string("ch_1"))
        #expect(passkey["credential"]?.members?["id"] == .base64URL(ScriptedPasskeys.credentialID))
    }

    @Test func `without a sheet, or with a closed one, the app shows its form`() async throws {
        let auth = try makeAuth()
        #expect(try await auth.signUp() == nil)
        passkeys.signsUp(phone: "+15551234567", name: nil)
        passkeys.answers(.closed)
        #expect(try await auth.signUp() == nil)
        transport.on("POST", "/auth/passkeys/signup/options", .json(404, ["code": "not_found"]))
        await #expect(throws: AuthError.methodNotOffered) { try await auth.signUp() }
        #expect(sent("/auth/otp/request").isEmpty)
    }

    @Test func `a passkey whose number gets no code is forgotten`() async throws {
        let auth = try makeAuth()
        passkeys.signsUp(phone: "+1555", name: nil)
        transport.on("POST", "/auth/otp/request", .json(400, ["code": "invalid_phone"]))
        await #expect(throws: AuthError.invalid(field: "phoneNumber", code: "invalid_phone")) {
            try await auth.signUp()
        }
        #expect(passkeys.unknown == [ScriptedPasskeys.credentialID])
    }

    @Test func `a passkey that the server refuses undoes no sign-in, and is forgotten`() async throws {
        let auth = try makeAuth()
        passkeys.signsUp(phone: "+15551234567", name: nil)
        transport.on("POST", "/users/me/passkeys", .json(409, ["code": "too_many_passkeys"]))
        let pending = try #require(try await auth.signUp())
        try await auth.finishSignUp(pending, code: "123456")
        #expect(try await auth.accessToken() == "access-1")
        #expect(passkeys.unknown == [ScriptedPasskeys.credentialID])
    }

    @Test func `a passkey whose response is lost is sent again with its key, also later`() async throws {
        let auth = try makeAuth()
        passkeys.signsUp(phone: "+15551234567", name: nil)
        transport.on("POST", "/users/me/passkeys", .failure(.offline), .failure(.offline), .raw(201, Self.row))
        let pending = try #require(try await auth.signUp())
        try await auth.finishSignUp(pending, code: "123456")
        #expect(try await auth.addPasskey(of: pending).id == "psk_1")
        #expect(sent("/users/me/passkeys").count == 3 && passkeys.unknown.isEmpty)
        #expect(Set(sent("/users/me/passkeys").map { $0.value(forHTTPHeaderField: "Idempotency-Key") }).count == 1)
    }

    // MARK: - Reports

    @Test func `a removal reports each handle, also one that has no passkey left`() async throws {
        let auth = try makeAuth()
        try await auth.signIn(auth.requestCode(phone: "+15551234567"), code: "123456")
        transport.on("GET", "/.well-known/latchkey", .raw(200, #"{"passkeys":{"rpID":"example.com","signUp":true}}"#))
        let list = ["1": "QQ", "2": "QQ", "3": "Qg"].map { number, handle in
            #"{"id":"psk_\#(number)","createdAt":1,"credentialId":"AA\#(number)A","userHandle":"\#(handle)"}"#
        }
        transport.on("GET", "/users/me/passkeys", .raw(200, #"{"passkeys":[\#(list.joined(separator: ","))]}"#))
        transport.on("DELETE", "/users/me/passkeys/psk_3", .raw(204, ""))
        transport.on("POST", "/auth/refresh", .tokens(access: "access-2", refresh: "refresh-2"))
        try await auth.removePasskey("psk_3")
        #expect(passkeys.accepted.map(\.count).sorted() == [0, 2])
        #expect(sent("/users/me/passkeys/psk_3").last?.value(forHTTPHeaderField: "Idempotency-Key") == nil)
        #expect(try await auth.accessToken() == "access-2")
    }

    @Test(arguments: [#"{"id":"psk_2"}"#, row])
    func `nothing is reported of a list that is not whole`(_ unreadable: String) async throws {
        let auth = try makeAuth()
        try await auth.signIn(auth.requestCode(phone: "+15551234567"), code: "123456")
        transport.on("GET", "/.well-known/latchkey", .raw(200, #"{"passkeys":{"rpID":"example.com"}}"#))
        let known = #"{"id":"psk_1","createdAt":1,"credentialId":"QQ","userHandle":"Qg"}"#
        transport.on("GET", "/users/me/passkeys", .raw(200, #"{"passkeys":[\#(known),\#(unreadable)]}"#))
        _ = try await auth.passkeys()
        #expect(passkeys.accepted.isEmpty && !sent("/.well-known/latchkey").isEmpty)
    }

    @Test func `a sign-in reports the passkeys, and does not wait for that`() async throws {
        let auth = try makeAuth()
        transport.on("GET", "/.well-known/latchkey", .raw(200, #"{"passkeys":{"rpID":"example.com"}}"#))
        let row = #"{"id":"psk_1","createdAt":1,"credentialId":"QQ","userHandle":"Qg"}"#
        transport.on("GET", "/users/me/passkeys", .raw(200, #"{"passkeys":[\#(row)]}"#))
        try await auth.signInWithPasskey()
        try await until { !passkeys.accepted.isEmpty }
        #expect(passkeys.accepted == [[Data("A".utf8)]])
        transport.on("GET", "/users/me/passkeys", .failure(.offline))
        try await auth.signInWithPasskey()
        #expect(try await auth.accessToken() == "access-1")
    }

    @Test func `a wrong passkey is never reported as unknown, since the server does not say why`() async throws {
        let auth = try makeAuth()
        transport.on("POST", "/auth/passkeys/verify", .json(401, ["code": "passkey_refused"]))
        await #expect(throws: AuthError.passkeyRefused) { try await auth.signInWithPasskey() }
        #expect(passkeys.unknown.isEmpty && passkeys.accepted.isEmpty)
    }

    @Test func `the discovery document says what there is`() async throws {
        let auth = try makeAuth()
        transport.on(
            "GET", "/.well-known/latchkey",
            .raw(200, #"{"passkeys":{"rpID":"example.com","signUp":false,"restoreKeys":true},"mfa":{"totp":true}}"#))
        let found = try await auth.discover()
        #expect(found.passkeyDomain == "example.com" && found.hasSignUp == false && found.hasSecondFactors == true)
        #expect(Discovery.unknown.passkeyDomain == nil && Discovery.unknown.hasSignUp == nil)
    }

    @Test(arguments: [
        (
            #"{"totp":true,"required":false,"recoveryCodesLeft":10,"passkeys":2,"activeFrom":1800000000,"resetAt":1800000060}"#,
            10
        ),
        (#"{"totp":false}"#, 0), (#"{"totp":true,"recoveryCodesLeft":-9223372036854775808,"passkeys":"x"}"#, Int.min),
    ])
    func `the user's second factors are read`(_ text: String, _ left: Int) throws {
        let factors = try #require(JSONText.decode(Data(text.utf8)).flatMap(SecondFactors.init))
        #expect(factors.recoveryCodesLeft == left)
        #expect((factors.activeFrom == nil) == (left != 10))
        #expect(factors.resetAt == (left == 10 ? Date(timeIntervalSince1970: 1_800_000_060) : nil))
        #expect(SecondFactors(.object(["required": .boolean(true)])) == nil)
    }

    #if !canImport(AuthenticationServices)
    @Test func `a system without passkeys says so`() async throws {
        var configuration = LatchkeyAuth.Configuration(baseURL: try #require(URL(string: "https://api.example.com")))
        configuration.store = MemoryStore()
        configuration.surroundings = FixedSurroundings()
        configuration.transport = transport
        let auth = LatchkeyAuth(configuration)
        await #expect(throws: AuthError.refused(status: 0, code: "no_passkeys", requestID: nil)) {
            try await auth.signInWithPasskey()
        }
        #expect(transport.requests.isEmpty)
    }
    #endif
}
