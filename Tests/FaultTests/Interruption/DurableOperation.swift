import InternalAPI
import TestSupport

/// An operation that writes durably, as one row of what `deploy/faults writes` interrupts.
///
/// To have another one tried, add a row to `all`; what it is judged by is what its act says of itself.
struct DurableOperation: Sendable {
    /// The name for `deploy/faults writes NAME`.
    let name: String
    /// The process that writes, and is killed: `token` or `user`.
    let process: String
    /// Makes what the act needs, at a process that nothing disturbs yet.
    let prepare: @Sendable (LatchkeyStack, ProcessTwin.Running) async throws -> InterruptedAct

    static let all =
        tokenOperations + userOperations + accountOperations + importOperations + identityOperations
        + waitingMergeOperations + reviewOperations + passkeyOperations + secondFactorOperations
}

/// One act that is interrupted, and then asked for again.
struct InterruptedAct: Sendable {
    /// The changes that the whole operation makes in the records, by their names.
    let changes: [String: Int]
    /// Counts what the files hold of the act's user, by names.
    let records: @Sendable () throws -> [String: Int]
    /// Asks for the act; each time it is the same request.
    var perform: @Sendable (TestHTTPClient) async throws -> HTTPAnswer
    /// Returns the result of a 200 response as a text, which a repeat must return too; "" for operations without a result.
    var gain: @Sendable (HTTPAnswer) throws -> String = { _ in "" }
    /// Sessions that are over once the act is done.
    var ends: [TokenSet] = []
    /// Whether those sessions end after the answer to a repeat.
    var endsLater = false
    /// Whether what the act leaves to others to do has come about.
    var effect: @Sendable () async throws -> Bool = { true }
    /// Records that a repeat may add to.
    var repeated: Set<String> = []
    /// Signs in and returns what is wrong, once the act has been repeated.
    var aftermath: @Sendable (TestHTTPClient) async throws -> [String] = { _ in [] }
}
