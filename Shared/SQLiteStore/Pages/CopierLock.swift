import Glibc
import Storage

/// The lock by which one copier at a time copies a database. It is held as long as the value exists.
final class CopierLock {
    private static let suffix = ".copier"

    private let descriptor: Int32

    /// - Throws: `PageSource.OtherCopier` if another copier has the lock; `StorageError`.
    init(databasePath: String) throws {
        let path = FileFacts.target(of: databasePath) + Self.suffix
        let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw StorageError(.io, "cannot open \(path): error \(errno)") }
        do {
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
                throw PageSource.OtherCopier(description: "another copier is copying \(databasePath): stop it first")
            }
            try FileOwner.give(path, toOwnerOf: databasePath)
        } catch {
            close(descriptor)
            throw error
        }
        self.descriptor = descriptor
    }

    deinit {
        // A child process that is just being started has the descriptor too, until it becomes another program.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
