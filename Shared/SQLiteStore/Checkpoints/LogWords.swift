/// How far checkpoints have come with a write-ahead log: two words of SQLite's index of it (`-shm`).
struct LogWords: Sendable, Equatable {
    /// Frames at the front of the log that are in the database file (`nBackfill`).
    let copied: UInt32
    /// Frames that commits have written to the log (`mxFrame`).
    let committed: UInt32

    /// Whether a checkpoint has something to do.
    ///
    /// Only then may one begin: no connection restarts the log from its front before all of it is copied.
    var hasUncopied: Bool { copied < committed }

    /// Whether frames count as copied that do not exist yet: the result of SQLite's WAL-reset bug.
    ///
    /// A connection that restarts the log passes through such a state for some nanoseconds.
    var isImpossible: Bool { copied > committed }
}
