import TestSupport
import Testing

extension Live {
    /// A missing setting that a stack with passwords needs prevents its start, with a line that names it.
    @Suite(.serialized, .timeLimit(.minutes(5))) struct StartRefusalTests {
        @Test(arguments: [
            (["MAIL_SENDER": "none"], "MAIL_SENDER: none does not go with the policy's section passwords"),
            (["PASSWORD_THREADS": "9"], #"PASSWORD_THREADS: "9" is not a valid value"#),
        ])
        func `passwords do not start without what they need`(
            environment: [String: String], words: String
        ) async throws {
            let refused = await #expect(throws: LatchkeyStack.NotReady.self) {
                try await LatchkeyStack.run(
                    name: "StartRefusalTests", environment: environment, policy: PolicyText.passwords
                ) { _ in }
            }
            #expect(refused?.description.contains(words) == true, "\(refused?.description ?? "it started")")
        }
    }
}
