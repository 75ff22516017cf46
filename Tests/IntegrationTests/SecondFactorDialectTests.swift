import AuthAPI
import StrictJSON
import TestSupport
import Testing

/// The five documents' APIs with second factors.
private enum SecondFactorDialects {
    static let path: String = {
        do {
            return try FiveDialectsPolicy.written(troubled: 9, adding: "mfa: { totp: true }")
        } catch {
            print("second-factor-dialects: \(error)")
            return "second-factor-dialects"
        }
    }()
}

extension Live {
    /// None of the documents' sign-ins is a way around the second factor, through all processes.
    @Suite(
        .serialized, .timeLimit(.minutes(5)),
        .stack([
            "LATCHKEY_POLICY": SecondFactorDialects.path, "LATCHKEY_ENV": "uat",
            "LATCHKEY_TRUSTED_PROXIES": "127.0.0.1",
        ]))
    struct SecondFactorDialectTests {
        let stack: LatchkeyStack
        let calls: FiveDialectsCalls

        init() throws {
            stack = try #require(RunningStack.current)
            calls = FiveDialectsCalls(stack: stack)
        }

        /// A sign-in with a right code or password.
        private func signIn(_ person: FiveDialectsCalls.Person, in dialect: String) async throws -> HTTPAnswer {
            switch dialect {
            case "native": return try await SecondFactorCalls(stack: stack).signIn("+91" + person.phone)
            case "aarokya":
                let aarokya = AarokyaCalls(stack: stack)
                try AarokyaCalls.success.check(try await aarokya.trigger(person.phone))
                return try await aarokya.verify(person.phone)
            default: return try await calls.logIn(person, in: dialect)
            }
        }

        @Test func `each refuses one factor of a user who needs two, in its own shape, and earlier sessions end`()
            async throws
        {
            let person = try await calls.movedIn()
            // With those below, as many codes as a number gets in an hour.
            let own = try await calls.session(of: person, in: "native")
            var others: [String: FiveDialectsCalls.Session] = [:]
            for dialect in ["voltyks", "gremlin", "uta"] {
                others[dialect] = try await calls.session(of: person, in: dialect)
            }
            let native = SecondFactorCalls(stack: stack)
            let codes = try await native.require(own.access)
            var token = ""
            for dialect in FiveDialectsCalls.dialects {
                let refused = try await signIn(person, in: dialect)
                #expect(refused.status == 403, "\(dialect): \(refused.text)")
                #expect(!refused.text.lowercased().contains("refresh"), "\(dialect): \(refused.text)")
                switch dialect {
                case "aarokya": try AarokyaCalls.refusal(403, "SECOND_FACTOR_REQUIRED").check(refused)
                case "gremlin":
                    #expect(try refused.json["code"]?.stringValue == "SECOND_FACTOR_REQUIRED")
                    #expect(!refused.text.contains("mfaToken"))
                case "native": token = try native.text("mfaToken", of: refused)
                default: #expect(refused.text.contains("second_factor_required"), "\(dialect): \(refused.text)")
                }
            }
            for (dialect, session) in others {
                #expect(try await calls.refresh(session.refresh, in: dialect).status == 401, "\(dialect)")
            }
            #expect(try await native.verify(token, recoveryCode: codes[0]).status == 200)
        }
    }
}
