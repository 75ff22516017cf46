/// How long the statements of a connection may take.
struct SessionLimits: Sendable {
    /// How long a statement may run or wait for a standby, by the server's clock: less than `replyMax`, so that its error arrives.
    let statementMilliseconds: Int
    /// How long a statement waits for a lock: longer than the second after which the server looks for a deadlock.
    let lockMilliseconds: Int
    /// How long the server keeps the locks of a transaction whose process is frozen or gone.
    let idleTransactionMilliseconds: Int
    /// How long the server may take for the statements of one round trip, after which it is taken for frozen.
    let replyMax: Duration

    /// A service's, whose clients wait.
    static let serving = SessionLimits(
        statementMilliseconds: 2_000, lockMilliseconds: 1_500, idleTransactionMilliseconds: 5_000,
        replyMax: .milliseconds(2_500))

    /// A command's that reads or changes all rows of a schema.
    static let wholeSchema = SessionLimits(
        statementMilliseconds: 3_600_000, lockMilliseconds: 2_000, idleTransactionMilliseconds: 600_000,
        replyMax: .seconds(3_660))
}
