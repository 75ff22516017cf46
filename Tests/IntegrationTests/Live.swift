import TestSupport
import Testing

/// The suites that run against a stack of real processes, one after another: two stacks at once would only slow each
/// other down.
@Suite(.serialized) enum Live {}

/// Starts one stack for a suite and ends it after the suite's last test.
struct StackTrait: SuiteTrait, TestScoping {
    let environment: [String: String]
    let secrets: [String: String]

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await LatchkeyStack.run(name: test.name, environment: environment, secrets: secrets) {
            stack in
            var stack = stack
            stack.gateway = stack.gateway.asApp
            try await RunningStack.$current.withValue(stack) { try await function() }
        }
    }
}

extension Trait where Self == StackTrait {
    /// A stack for the suite, with settings of `deploy/run` and secrets that it does not make for itself.
    static func stack(_ environment: [String: String] = [:], secrets: [String: String] = [:]) -> Self {
        StackTrait(environment: environment, secrets: secrets)
    }
}

/// The stack of the suite that runs.
enum RunningStack {
    @TaskLocal static var current: LatchkeyStack?
}
