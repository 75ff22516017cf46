import Foundation
import Glibc
import Storage

/// The lock under which all checkpoints of a database file run, in all processes.
///
/// It is a `flock` on an empty file next to the database, mode 0600. The kernel releases it with the process. The
/// file is in no backup and is never removed: two files of that name would be two locks.
///
/// # The protocol
///
/// SQLite from 3.7.0 to 3.51.2 loses committed rows if the log restarts while a checkpoint begins
/// (sqlite.org/wal.html, "the WAL-reset bug"). A checkpoint finds everything copied: in `-shm`, `nBackfill` equals
/// `mxFrame` and is not 0. Just after it has read that, a commit of another connection restarts the log. The checkpoint
/// then records frames of the new log as copied that are not, and they are skipped for good.
///
/// While frames are uncopied (`nBackfill < mxFrame`) no connection can restart the log, and only a checkpoint raises
/// `nBackfill`. Therefore:
///
/// - A checkpoint of any mode runs only with the lock, and only if the index, read with the lock held, shows uncopied
///   frames (`LogWords.hasUncopied`). Without the words no checkpoint runs. That rows were changed proves nothing: an
///   update that changes no byte writes no frame.
/// - The lock is tried, never waited for. A process that does not get it tries again with its next group.
/// - It is held for one cycle (`Checkpointer`), for at most `SQLiteLimits.checkpointHold` and the pass that is under
///   way then. If no group follows in that time, it is released without a final pass.
/// - `wal_autocheckpoint` is 0 on every connection, before its first commit.
/// - Emptying the log (`WriteAheadLog`) first makes a commit of its own under the lock, looks again, then truncates.
///
/// `deploy/docs/decisions/sqlite-writer.md` has the reasons, and what must not touch a live file.
final class CheckpointLock: Sendable {
    private static let suffix = ".checkpoints"
    private let descriptor: Int32

    /// - Parameter databasePath: A file that exists. A link is followed, so that all names of a file lead to one lock.
    init(databasePath: String) throws(StorageError) {
        let path = FileFacts.target(of: databasePath) + Self.suffix
        unsafe descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw StorageError(.io, "cannot open \(path): error \(errno)") }
    }

    deinit { close(descriptor) }

    /// Takes the lock unless another process, or another database object of this one, has it.
    func tryTake() -> Bool { flock(descriptor, LOCK_EX | LOCK_NB) == 0 }

    /// Releases the lock.
    func release() { _ = flock(descriptor, LOCK_UN) }
}
