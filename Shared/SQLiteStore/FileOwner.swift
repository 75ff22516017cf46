import Glibc
import Storage

/// The owner of files that another user than the service makes next to a database.
enum FileOwner {
    /// Gives a file to the user and group of a database or folder, so that the services can open it.
    static func give(_ path: String, toOwnerOf model: String) throws(StorageError) {
        var (file, owned) = (stat(), stat())
        guard unsafe stat(model, &owned) == 0, unsafe lstat(path, &file) == 0 else { return }
        guard file.st_uid != owned.st_uid || file.st_gid != owned.st_gid else { return }
        guard unsafe lchown(path, owned.st_uid, owned.st_gid) == 0 else {
            throw StorageError(.io, "cannot give \(path) to the owner of \(model): error \(errno)")
        }
    }
}
