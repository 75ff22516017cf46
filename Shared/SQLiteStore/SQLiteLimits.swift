/// Bounds of the store's waits and queues.
package enum SQLiteLimits {
    /// Pause between two attempts at a file that another process holds.
    package static let busyRetryMicroseconds: UInt32 = 300
    /// How long a write waits for another process before it fails as `busy`: half of what a call between processes has.
    package static let busyWaitSeconds: Int64 = 1
    /// How long the opening of a file waits, while a replica brings its schema up to date.
    package static let openWaitSeconds: Int64 = 2
    /// Pause after a group commit: many writes that come at once share commits, and a twin process gets its turn (SQLite
    /// has no queue of its own). A write that comes later than that never waits.
    static let groupPause: Duration = .milliseconds(1)
    /// Writes, and short reads, that may wait; one more fails as `queueFull`.
    package static let queuedMax = 4096
    /// Writes that one commit makes durable.
    package static let groupMax = 256
    /// Connections that read beside the writer.
    package static let readersMax = 4
    /// Files up to this size are checked whole when they are opened (well under 0.1 s).
    package static let checkedAtOpenBytesMax: Int64 = 16 << 20
    /// Changed rows after which a cycle of checkpoints begins. Each may be a page somewhere else in the file: with a few at a
    /// time commits hardly wait for the disk because of them.
    package static let checkpointRows = 300
    /// How long a cycle keeps the lock of all checkpoints while it waits for the group that finishes it.
    static let checkpointHold: Duration = .seconds(1)
    /// Size of the write-ahead log beyond which it is folded into the file by force; checkpoints keep it to some MiB,
    /// unless somebody reads.
    package static let walBytesMax: Int64 = 32 << 20
    /// How long a forced checkpoint waits for readers, and writers for it.
    package static let checkpointWaitMilliseconds: Int64 = 20
    /// Attempts at a forced checkpoint in one second, while cycles of others have the lock.
    static let checkpointTriesMax = 20
    /// Pause between two of these attempts.
    static let checkpointTryPause: Duration = .milliseconds(20)
}
