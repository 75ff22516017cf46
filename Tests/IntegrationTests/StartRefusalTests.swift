import TestSupport
import Testing

extension Live {
    /// What a stack with passwords cannot do without stops its start, with a line that names the setting.
    @Suite(.serialized, .timeLimit(.minutes(2))) struct StartRefusalTests {
        @Test(arguments: [
            (["MAIL_SENDER": "none"], "MAIL_SENDER: the policy has passwords"),
            (["PASSWORD_THREADS": "9"], "PASSWORD_THREADS: '9' is not allowed"),
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
