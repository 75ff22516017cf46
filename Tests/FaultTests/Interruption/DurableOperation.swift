import InternalAPI
import TestSupport

/// An operation that writes durably, as one row of what `deploy/faults writes` interrupts.
///
/// To have another one tried, add a row to `all`; what it is judged by is what its act says of itself.
struct DurableOperation: Sendable {
    /// As `deploy/faults writes NAME` has it.
    let name: String
    /// The process that writes, and is killed: `token` or `user`.
    let process: String
    /// Makes what the act needs, at a process that nothing disturbs yet.
    let prepare: @Sendable (LatchkeyStack, ProcessTwin.Running) async throws -> InterruptedAct

    static let all = tokenOperations + userOperations + accountOperations + importOperations
}

/// One act that is interrupted, and then asked for again.
struct InterruptedAct: Sendable {
    /// What the whole act changes in the records, by their names.
    let changes: [String: Int]
    /// Counts what the files hold of the act's user, by names.
    let records: @Sendable () throws -> [String: Int]
    /// Asks for the act; each time it is the same request.
    let perform: @Sendable (TestHTTPClient) async throws -> HTTPAnswer
    /// What an answer of 200 brings, as a text that a repeat must bring too; for acts that bring nothing, "".
    var gain: @Sendable (HTTPAnswer) throws -> String = { _ in "" }
    /// Sessions that are over once the act is done.
    var ends: [TokenSet] = []
    /// Whether what the act leaves to others to do has come about.
    var effect: @Sendable () async throws -> Bool = { true }
    /// How long what is left to others, and to the worker, may take.
    var settleLimit = Duration.seconds(5)
    /// Records that a repeat may add to.
    var repeated: Set<String> = []
}
