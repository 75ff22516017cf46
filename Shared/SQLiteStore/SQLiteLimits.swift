/// The bounds of the store's waits and queues.
package enum SQLiteLimits {
    /// The pause between two attempts to lock a file that another process has locked.
    package static let busyRetryMicroseconds: UInt32 = 300
    /// How long a write waits for another process before it fails as `busy`: half the time limit of a call between
    /// processes.
    package static let busyWaitSeconds: Int64 = 1
    /// How long the opening of a file waits, while a replica brings its schema up to date.
    package static let openWaitSeconds: Int64 = 2
    /// The pause after a group commit: concurrent writes share commits, and another replica gets its turn (SQLite has no
    /// queue of its own). A write that arrives after the pause never waits.
    static let groupPause: Duration = .milliseconds(1)
    /// The maximum number of writes that one commit makes durable.
    package static let groupMax = 256
    /// The number of connections that read alongside the writer.
    package static let readersMax = 4
    /// Files up to this size are checked whole when they are opened (well under 0.1 s).
    package static let checkedAtOpenBytesMax: Int64 = 16 << 20
    /// The number of changed rows after which a cycle of checkpoints begins. Each may be a page elsewhere in the file; with
    /// only a few at a time, commits hardly wait for the disk.
    package static let checkpointRows = 300
    /// How long a cycle keeps the lock of all checkpoints while it waits for the group that finishes it.
    static let checkpointHold: Duration = .seconds(1)
    /// The size of the write-ahead log beyond which a checkpoint is forced; usually checkpoints keep it to a few MiB,
    /// unless a reader is active.
    package static let walBytesMax: Int64 = 32 << 20
    /// How long a forced checkpoint waits for readers, and writers for it.
    package static let checkpointWaitMilliseconds: Int64 = 20
    /// The number of attempts at a forced checkpoint within one second, while other cycles have the lock.
    static let checkpointTriesMax = 20
    /// Pause between two of these attempts.
    static let checkpointTryPause: Duration = .milliseconds(20)
}
