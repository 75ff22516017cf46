import InternalAPI
import StrictJSON
import Testing

/// The claims `acr` and `amr` that follow from factors.
@Suite struct AuthenticationFactorTests {
    @Test(
        arguments: [
            ([], "aal1", []), (.sms, "aal1", ["sms"]), (.tel, "aal1", ["tel"]), (.email, "aal1", ["email"]),
            (.pwd, "aal1", ["pwd"]), (.fed, "aal1", ["fed"]), (.otp, "aal1", ["otp"]),
            // A thief of the phone number, or of the mailbox, can set or add the others.
            ([.sms, .tel], "aal1", ["sms", "tel"]), ([.email, .pwd, .fed], "aal1", ["email", "pwd", "fed"]),
            ([.sms, .pwd], "aal1", ["sms", "pwd"]), ([.sms, .email], "aal1", ["sms", "email"]),
            ([.sms, .fed], "aal1", ["sms", "fed"]), ([.sms, .otp], "aal2", ["sms", "otp", "mfa"]),
            ([.pwd, .otp], "aal2", ["pwd", "otp", "mfa"]), ([.email, .otp], "aal2", ["email", "otp", "mfa"]),
            (.pop, "aal1", ["pop"]), ([.pop, .user], "aal2", ["pop", "user", "mfa"]),
            ([.sms, .pop], "aal2", ["sms", "pop", "mfa"]),
            // A restore key raises nothing, and the user is not verified without a passkey.
            (.restore, "aal1", ["restore"]), ([.restore, .user], "aal1", ["user", "restore"]),
            ([.sms, .restore], "aal1", ["sms", "restore"]), ([.pop, .restore], "aal1", ["pop", "restore"]),
            ([.otp, .restore], "aal2", ["otp", "restore", "mfa"]), ([.otp, .pop], "aal2", ["otp", "pop", "mfa"]),
        ] as [(AuthenticationFactors, String, [String])])
    func `a first and a second factor, and a passkey that verifies its user, are aal2`(
        _ factors: AuthenticationFactors, acr: String, amr: [String]
    ) {
        #expect(factors.acr == acr)
        #expect(factors.amr == amr)
    }

    @Test(
        arguments: [
            ("sms", .sms), ("whatsapp", .sms), ("call", .tel), ("email", .email), ("link", .email), ("password", .pwd),
            ("apple", .fed), ("oidc:acme", .fed), ("phone:firebase", .sms), ("passkey:0f", .pop), ("review", []),
            ("acting", []), ("", []), ("passkey", []), ("oidc", []), ("SMS", []),
        ] as [(String, AuthenticationFactors)])
    func `a method states its factor, and an unknown one none`(_ method: String, factors: AuthenticationFactors) {
        #expect(AuthenticationFactors(method: method) == factors)
        #expect(!factors.areMultiple)
    }

    @Test func `without second factors, those of the sign-in are left`() {
        let all = AuthenticationFactors(rawValue: .max)
        #expect(all.lowered(toMethod: "sms") == .sms)
        #expect(all.lowered(toMethod: "password") == .pwd)
        #expect(all.lowered(toMethod: "review") == [])
        #expect(AuthenticationFactors([.pop, .user, .otp]).lowered(toMethod: "passkey:0f") == [.pop, .user])
        #expect(AuthenticationFactors([.restore, .otp]).lowered(toMethod: "passkey:0f") == .restore)
        // The passkey that raised a restore key's session may be the one that is gone.
        #expect(AuthenticationFactors([.restore, .pop, .user]).lowered(toMethod: "passkey:0f") == .restore)
        // Lowering adds nothing.
        #expect(AuthenticationFactors.otp.lowered(toMethod: "sms") == [])
    }

    @Test func `factors are sealed as a number, whose bits never change`() throws {
        let known: [AuthenticationFactors] = [.sms, .tel, .email, .pwd, .otp, .pop, .user, .fed, .restore]
        #expect(known.map(\.rawValue) == [1, 2, 4, 8, 16, 32, 64, 128, 256])
        #expect(try StrictJSON.encode([AuthenticationFactors([.sms, .otp])]) == Array("[17]".utf8))
        let read = try StrictJSON.decode([AuthenticationFactors].self, from: Array("[17]".utf8), limits: .own)
        #expect(read == [[.sms, .otp]])
    }
}
