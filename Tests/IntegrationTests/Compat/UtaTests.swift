import AuthAPI
import TestSupport
import Testing

extension Live.UtaTests {
    /// The policy `uta`.
    @Suite(.serialized, .timeLimit(.minutes(10)), .stack(["LATCHKEY_POLICY": "uta"])) struct PrintedCode {
        let stack: LatchkeyStack

        init() throws { stack = try #require(RunningStack.current) }

        @Test func `the printed TypeScript does what the document says`() async throws {
            try await UtaProgram.life(gateway: stack.gateway.base, inbox: stack.inbox.base).show()
        }

        @Test func `what happens is in the audit`() async throws {
            let user = try await stack.newPasswordUser()
            await show("T44") {
                try await eventually("the sign-in is in the audit") {
                    let count = "SELECT count(*) FROM audit WHERE event = 'session.opened' AND user_id = x'\(user.id)'"
                    return try await stack.sql("tokens", count) == ["1"]
                }
            }
        }
    }

    /// Statements that need time to pass: half an hour, a week, thirty days, with a clock that is moved; in the long form
    /// only.
    @Suite(.serialized, .enabled(if: LongRun.isOn), .timeLimit(.minutes(10))) struct Expiry {
        @Test func `access tokens, idle sessions and old ones end on time`() async throws {
            try await withClock("uta", "expiry") { stack, clock in
                try await UtaProgram.expiry(gateway: stack.gateway.base, inbox: stack.inbox.base)
                    .show(["COMPAT_CLOCK": clock.file])
            }
        }
    }
}

/// The printed TypeScript as a program.
enum UtaProgram {
    /// A user's life but for what takes time.
    static func life(gateway: String, inbox: String) -> ClientProgram {
        ClientProgram("Tests/Compat/uta/run '\(gateway)' '\(inbox)' life")
    }

    /// Returns the program for statements that need time, against a Latchkey that uses `COMPAT_CLOCK`.
    static func expiry(gateway: String, inbox: String) -> ClientProgram {
        ClientProgram("Tests/Compat/uta/run '\(gateway)' '\(inbox)' expiry")
    }
}

extension PasswordUser {
    /// The id in the form of the databases.
    fileprivate var id: Substring { signIn.user.id.suffix(32) }
}
