import TestSupport
import Testing

extension Live {
    /// A host whose clock is 10 s off.
    @Suite(.serialized, .timeLimit(.minutes(5)), .stack()) struct HostClockTests {
        @Test func `calls that are refused name the process whose clock differs`() async throws {
            let stack = try #require(RunningStack.current)
            let clock = try await ShiftedClock()
            try await clock.set(to: 10)
            try await ProcessTwin(of: "user", in: stack).run(settings: clock.environment) { user in
                try await eventually("the refused process says whose clock differs") {
                    do {
                        let text = try await user.operations.get("/readyz").text
                        return text.contains("the clock of token is ") && text.contains(" s behind this process's")
                    } catch { return false }
                }
                try await eventually("the log of each called service does, too") {
                    let lines = try stack.warnings()
                    return ["token", "otp"].allSatisfy { name in
                        lines.contains {
                            $0.hasPrefix("\(name).") && $0.contains("assertion.refused")
                                && $0.contains(#""reason":"ahead""#)
                                && $0.contains("ahead of this process's") && $0.contains(#""caller":"user""#)
                        }
                    }
                }
            }
        }
    }
}
