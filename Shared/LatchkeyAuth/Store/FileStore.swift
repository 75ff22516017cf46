public import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#elseif canImport(Darwin)
import Darwin
#endif

/// A session in a file that only this user can read: mode 0600 in a folder of mode 0700.
///
/// Processes that compare and write wait for each other by a file lock, which is held for milliseconds and never over a
/// request. A write is complete or absent after any crash.
public struct FileStore: SessionStore {
    private let folder: URL
    private let name: String
    private static let bytesMax = 1 << 16
    /// The longest wait for another process's write.
    private static let lockAttemptsMax = 200
    private static let lockPauseMicroseconds: UInt32 = 5_000

    /// Creates a store.
    ///
    /// - Parameters:
    ///   - profile: the name of the user's session.
    ///   - folder: a folder for sessions; `nil` for one in the user's own data folder.
    public init(profile: String = "default", folder: URL? = nil) {
        let data = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
        self.folder =
            folder
            ?? (data ?? FileManager.default.temporaryDirectory)
            .appending(path: "latchkey", directoryHint: .isDirectory)
        let safe = CharacterSet.alphanumerics.union(["-", "_"])
        name = profile.addingPercentEncoding(withAllowedCharacters: safe) ?? "default"
    }

    private var file: URL { folder.appending(path: "\(name).json") }

    public func load() throws(StoreFailure) -> Data? {
        let descriptor = unsafe open(file.path(percentEncoded: false), O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw Self.failure(.unreadable)
        }
        defer { close(descriptor) }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
        do {
            return try handle.read(upToCount: Self.bytesMax) ?? Data()
        } catch {
            throw StoreFailure(.unreadable)
        }
    }

    public func keepNewer(_ data: Data, version: StoreVersion) throws(StoreFailure) -> Data? {
        try makeFolder()
        let lock = try lock()
        defer { close(lock) }
        if let stored = try load(), let present = StoreVersion(of: stored), present >= version { return stored }
        try replace(by: data)
        return nil
    }

    private func makeFolder() throws(StoreFailure) {
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            #if canImport(Darwin)
            // A session belongs to this device, so it is in no backup.
            var (place, values) = (folder, URLResourceValues())
            values.isExcludedFromBackup = true
            try place.setResourceValues(values)
            #endif
        } catch {
            throw StoreFailure(.unwritable)
        }
    }

    /// Waits for the lock. Closing the descriptor releases it, and so does the end of the process.
    private func lock() throws(StoreFailure) -> Int32 {
        let path = folder.appending(path: "\(name).lock").path(percentEncoded: false)
        let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.failure(.unwritable) }
        for _ in 0..<Self.lockAttemptsMax {
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return descriptor }
            usleep(Self.lockPauseMicroseconds)
        }
        close(descriptor)
        throw StoreFailure(.unwritable)
    }

    /// Writes a new file next to the old one, sees that it is on the disk, and puts it in the old one's place.
    private func replace(by data: Data) throws(StoreFailure) {
        let (new, old) = ("\(file.path(percentEncoded: false)).new", file.path(percentEncoded: false))
        let descriptor = unsafe open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.failure(.unwritable) }
        do {
            defer { close(descriptor) }
            let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
            try handle.write(contentsOf: data)
            try handle.synchronize()
        } catch {
            throw StoreFailure(.unwritable)
        }
        guard unsafe rename(new, old) == 0 else { throw Self.failure(.unwritable) }
        synchronizeFolder()
    }

    /// Sees that the new name is on the disk. Where a folder cannot be synchronized, the system does it soon.
    private func synchronizeFolder() {
        let descriptor = unsafe open(folder.path(percentEncoded: false), O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    private static func failure(_ trouble: StoreTrouble) -> StoreFailure {
        StoreFailure(errno == EACCES || errno == EPERM ? .denied(Int(errno)) : trouble)
    }
}
