import TestSupport
import Testing

extension Live {
    /// Benchmarks and fault rounds measure and kill a second instance of a process, beside the stack's own.
    @Suite(.serialized, .timeLimit(.minutes(5)), .stack()) struct ProcessTwinTests {
        let stack: LatchkeyStack

        init() throws { stack = try #require(RunningStack.current) }

        @Test func `an environment is read as the kernel shows it`() {
            let variables = ProcessTwin.variables(Array("A=1\0B=x=y\0C=\0odd\0".utf8))
            #expect(variables == ["A": "1", "B": "x=y", "C": ""])
        }

        @Test(arguments: ["gateway", "inbox", "otp", "sample-api", "token", "user"])
        func `a second instance is ready beside the first`(name: String) async throws {
            try await ProcessTwin(of: name, in: stack).run { twin in
                try await eventually("the second \(name) is ready") {
                    do { return try await twin.operations.get("/readyz").status == 200 } catch { return false }
                }
            }
        }
    }
}
