import TestSupport
import Testing

extension Live {
    /// HowRU's document: its HTTP lines, its rules and its printed client. In full by `deploy/compat howru`.
    @Suite(.serialized, .timeLimit(.minutes(20)), .statements(of: "howru")) struct HowruTests {}

    /// aarokya's document: its curl lines, its errors and its printed clients. In full by `deploy/compat aarokya`.
    @Suite(.serialized, .timeLimit(.minutes(20)), .statements(of: "aarokya")) struct AarokyaTests {}

    /// voltyks' document: its HTTP lines, its errors and its printed clients. In full by `deploy/compat voltyks`.
    @Suite(.serialized, .timeLimit(.minutes(20)), .statements(of: "voltyks")) struct VoltyksTests {}

    /// gremlin's document: its HTTP lines, its errors and its printed clients. In full by `deploy/compat gremlin`.
    @Suite(.serialized, .timeLimit(.minutes(20)), .statements(of: "gremlin")) struct GremlinTests {}

    /// uta's document: its printed TypeScript, with real axios and React. In full by `deploy/compat uta`.
    @Suite(.serialized, .timeLimit(.minutes(20)), .statements(of: "uta")) struct UtaTests {}
}

/// Sees that checks find an answer that is spoiled on its way.
///
/// - Parameter red: runs the checks at a gateway, and returns the statements that they find wrong.
func expectFound(
    _ spoiling: AnswerSpoiling, before gateway: TestHTTPClient, sourceLocation: SourceLocation = #_sourceLocation,
    _ red: (TestHTTPClient) async throws -> Set<String>
) async throws {
    try await withCompatProxy(before: gateway, spoiling: spoiling) { gateway in
        let red = try await red(gateway)
        #expect(!red.isEmpty, sourceLocation: sourceLocation)
        LongRun.report("\(spoiling): \(red.sorted().joined(separator: " "))")
    }
}

/// Runs `body` with a document's policy, its own times, and a clock that is moved.
func withClock(
    _ policy: String, _ name: String, _ body: (LatchkeyStack, ShiftedClock) async throws -> Void
) async throws {
    let clock = try await ShiftedClock()
    let settings = clock.environment.merging(["LATCHKEY_POLICY": policy]) { $1 }
    try await LatchkeyStack.run(name: "\(policy)-\(name)", environment: settings) { try await body($0, clock) }
}
