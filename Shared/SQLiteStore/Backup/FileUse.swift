import Glibc
import PrivateFiles

/// Whether other processes have a database open. The kernel's locks tell, so that even a file too damaged to be opened can
/// be replaced.
enum FileUse {
    /// A connection in WAL mode has a shared lock in this range of the file for as long as it exists (SQLite `os.h`).
    private static let sharedLockStart: off_t = 0x4000_0002
    private static let sharedLockBytes: off_t = 510

    /// Whether a process other than this one has the database open.
    static func isOpenElsewhere(_ databasePath: String) throws(FileFailure) -> Bool {
        let file = unsafe open(databasePath, O_RDWR | O_CLOEXEC)
        guard file >= 0 else {
            guard errno == ENOENT else { throw FileFailure("cannot open \(databasePath): error \(errno)") }
            return false
        }
        defer { close(file) }
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        lock.l_start = sharedLockStart
        lock.l_len = sharedLockBytes
        guard unsafe fcntl(file, F_GETLK, &lock) == 0 else {
            throw FileFailure("cannot ask for locks on \(databasePath): error \(errno)")
        }
        return lock.l_type != Int16(F_UNLCK)
    }

    /// Whether a supervisor runs on the data directory: it would restart the services during the restore.
    static func isSupervised(_ dataDirectory: String) -> Bool {
        let file = unsafe open(dataDirectory + "/run/supervisor.pid", O_RDWR | O_CLOEXEC)
        guard file >= 0 else { return false }
        defer { close(file) }
        return flock(file, LOCK_EX | LOCK_NB) != 0
    }
}
