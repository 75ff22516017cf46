import CryptoPrimitives
import Glibc
import NIOPosix
import PrivateFiles
import Synchronization

/// A folder of this host: a mounted disk, or a network file system.
///
/// A marker file with a random id shows that the folder is still the one of the first operation, and not the empty place at which
/// its disk was mounted.
package final class DirectoryTarget: CopyTarget {
    private let folder: String
    private let mayMark: Bool
    /// The id of the first operation; `nil` before it.
    private let marker = Mutex<[UInt8]?>(nil)

    /// Names that `CopyTargetFile.isName` refuses, so that no listing contains such a file.
    private static let (markerName, draftSuffix) = ("LATCHKEY-COPY", "~part")
    private static let markerBytes = 16

    /// - Parameter mayMark: Whether the folder gets a marker if it is empty and has none.
    package init(_ folder: String, mayMark: Bool = true) { (self.folder, self.mayMark) = (folder, mayMark) }

    package func put(_ path: String, as name: String) async throws(CopyTargetFailure) {
        try await onThread {
            let bytes = try LocalFile.size(path)
            let place = try self.path(of: name)
            let above = try self.makeFolders(of: name)
            let draft = place + Self.draftSuffix
            try PrivateFile.remove(draft)
            do {
                try PrivateFile.copy(path, to: draft)
                try PrivateFile.sync(draft)
                guard try LocalFile.size(draft) == bytes else {
                    throw CopyTargetFailure(.unexpected, "the file changed while it was copied")
                }
                // The disk may have been unmounted meanwhile.
                try self.requireMarker()
                try PrivateFile.move(draft, to: place)
            } catch {
                // It takes the room that may be missing.
                _ = unsafe unlink(draft)
                throw error
            }
            try PrivateFile.sync(above)
        }
    }

    package func get(_ name: String, to path: String, bytesMax: Int) async throws(CopyTargetFailure) {
        try await LocalFile.receive(path) { () async throws(CopyTargetFailure) in
            try await onThread {
                let place = try self.path(of: name)
                var status = stat()
                let isFound = unsafe stat(place, &status) == 0
                guard !isFound || (status.st_mode & S_IFMT == S_IFREG && status.st_size <= bytesMax) else {
                    throw CopyTargetFailure(.unexpected, "\(name) is larger than is allowed, or no file")
                }
                try PrivateFile.copy(place, to: path)
            }
        }
    }

    package func list(_ prefix: String) async throws(CopyTargetFailure) -> [CopyTargetFile] {
        try await FolderWalk.files(beginningWith: prefix) { part async throws(CopyTargetFailure) in
            try await onThread {
                try self.requireMarker()
                let path = part.isEmpty ? self.folder : "\(self.folder)/\(part)"
                return try Self.entries(of: path).compactMap { name in Self.entry("\(path)/\(name)", name) }
            }
        }
    }

    package func remove(_ names: [String]) async throws(CopyTargetFailure) {
        try await onThread { for name in names { try PrivateFile.remove(self.path(of: name)) } }
    }
}

// MARK: - Paths

extension DirectoryTarget {
    private func path(of name: String) throws -> String {
        try requireMarker()
        return "\(folder)/\(try CopyTargetFile.checked(name))"
    }

    /// Makes the folders that a name needs, and returns the last one.
    private func makeFolders(of name: String) throws -> String {
        try name.split(separator: "/").dropLast().reduce(folder) { above, step in
            let path = "\(above)/\(step)"
            if unsafe mkdir(path, 0o700) == 0 {
                try PrivateFile.sync(above)
            } else if errno != EEXIST {
                throw FileFailure("cannot make \(path)", code: errno)
            }
            return path
        }
    }

    private func requireMarker() throws {
        try marker.withLock { known in
            let path = "\(folder)/\(Self.markerName)"
            if known == nil, mayMark, !PrivateFile.exists(path) { try mark(path) }
            guard PrivateFile.exists(path) else {
                throw CopyTargetFailure(
                    .missing,
                    "\(folder) has no marker file \(Self.markerName). Is its disk mounted? An empty folder gets one at the first copy"
                )
            }
            let found = try PrivateFile.bytes(path, max: 2 * Self.markerBytes)
            guard known == nil || found == known else {
                throw CopyTargetFailure(.missing, "\(folder) is not the folder that it was. Is its disk mounted?")
            }
            known = found
        }
    }

    /// Makes the marker if the folder is empty.
    private func mark(_ path: String) throws {
        guard try Self.entries(of: folder).allSatisfy({ $0 == "lost+found" }) else { return }
        let id = Array(Hex.encode(SecureRandom.bytes(Self.markerBytes)).utf8)
        _ = try PrivateFile.writeIfAbsent(id, to: path)
        try PrivateFile.sync(folder)
    }
}

// MARK: - The system

extension DirectoryTarget {
    private static func entries(of path: String) throws -> [String] {
        guard let stream = unsafe opendir(path) else {
            throw FileFailure("cannot read the folder \(path)", code: errno)
        }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
                unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if ![".", ".."].contains(name) { names.append(name) }
            guard names.count <= CopyTargetFile.countMax else { throw FolderWalk.tooMany }
        }
        return names
    }

    private static func entry(_ path: String, _ name: String) -> FolderWalk.Entry? {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return nil }
        return switch status.st_mode & S_IFMT {
        case S_IFDIR: .folder(name)
        case S_IFREG: .file(name, bytes: Int(status.st_size))
        default: nil
        }
    }

    /// Runs blocking work on a thread, so that a slow disk holds nothing else up.
    private func onThread<Value: Sendable>(
        _ body: @escaping @Sendable () throws -> Value
    ) async throws(CopyTargetFailure) -> Value {
        let result: Result<Value, CopyTargetFailure>
        do {
            result = try await TargetThreads.pool.runIfActive {
                Result { () throws(CopyTargetFailure) in try Self.mapped(body) }
            }
        } catch { throw CopyTargetFailure(.unreachable, "the copy was cancelled") }
        return try result.get()
    }

    private static func mapped<Value>(_ body: () throws -> Value) throws(CopyTargetFailure) -> Value {
        do { return try body() } catch let failure as CopyTargetFailure { throw failure } catch {
            let file = error as? FileFailure
            throw CopyTargetFailure(reason(of: file?.code ?? 0), file?.description ?? "\(error)")
        }
    }

    private static func reason(of code: CInt) -> CopyTargetFailure.Reason {
        switch code {
        case ENOSPC, EDQUOT, EFBIG: .full
        case ENOENT, ENOTDIR: .missing
        case EACCES, EPERM, EROFS: .refused
        case EIO, ESTALE, ETIMEDOUT, EHOSTDOWN, ENOTCONN: .unreachable
        default: .unexpected
        }
    }
}
