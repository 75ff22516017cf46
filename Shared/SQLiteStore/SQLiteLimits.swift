/// Bounds of the store's waits and queues.
package enum SQLiteLimits {
    /// Pause between two attempts at a file that another process holds.
    package static let busyRetryMicroseconds: UInt32 = 300
    /// How long a write waits for another process before it fails as `busy`: half of what a call between processes has.
    package static let busyWaitSeconds: Int64 = 1
    /// How long the opening of a file waits, while a replica brings its schema up to date.
    package static let openWaitSeconds: Int64 = 2
    /// Pause after a group commit: many writes that come at once share commits, and a twin process gets its turn (SQLite
    /// has no queue of its own). A write that finds the writer at rest never waits for it.
    package static let groupPauseMicroseconds: UInt32 = 2_000
    /// The pause lasts longer when the last group was one of several writes and fewer wait than a sync is worth: sign-ins,
    /// of which few come in the shortest pause, cost 6 % less CPU by it.
    package static let groupPauseMicrosecondsMax: UInt32 = 5_000
    package static let groupWorthSync = 8
    /// Steps of the pause, and those while short reads come, which are served between two of them.
    package static let groupPauseStepMicroseconds: UInt32 = 1_000
    package static let groupPauseShortStepMicroseconds: UInt32 = 500
    /// Writes, and short reads, that may wait; one more fails as `queueFull`.
    package static let queuedMax = 4096
    /// Writes that one commit makes durable, and short reads that are taken at once.
    package static let groupMax = 256
    /// Connections that read beside the writer.
    package static let readersMax = 4
    /// Files up to this size are checked whole when they are opened (well under 0.1 s).
    package static let checkedAtOpenBytesMax: Int64 = 16 << 20
    /// Writes after which a checkpoint begins beside the writer, or rows, should they have many. Each write may be a page
    /// somewhere else in the file: with a few at a time commits hardly wait for the disk behind them.
    package static let checkpointWrites = 150
    package static let checkpointRows = 1_000
    /// Pages of the log from which on commits carry out the checkpoint themselves, should that not have kept up.
    package static let commitCheckpointPages = 4_000
    /// Size of the write-ahead log beyond which it is folded into the file by force; checkpoints keep it to some MiB,
    /// unless somebody reads.
    package static let walBytesMax: Int64 = 32 << 20
    /// How long a forced checkpoint waits for readers, and writers for it.
    package static let checkpointWaitMilliseconds: Int64 = 20
}
