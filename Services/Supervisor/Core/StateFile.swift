import Glibc
import PrivateFiles

/// The small files and folders in which the supervisor stores its state. Only their owner can read them.
enum StateFile {
    /// The length in bytes beyond which a state file is not read, since all of them are short.
    private static let bytesMax = 65_536

    /// Makes the folder and those above it, mode 0700. Folders that exist stay as they are.
    ///
    /// - Parameters:
    ///   - path: The path; a relative one begins in the working directory.
    ///   - setting: The variable that contains the path, for the message.
    static func makeDirectory(_ path: String, setting: String? = "LATCHKEY_DATA_DIR") throws(StartFailure) {
        var made = path.hasPrefix("/") ? "" : "."
        for name in path.split(separator: "/") {
            made += "/\(name)"
            // Each folder above exists or has just been made.
            guard unsafe mkdir(made, 0o700) != 0 else { continue }
            let error = errno
            guard !isFolder(made) else { continue }
            throw .system(
                "make the folder \(made)", error: error == EEXIST ? ENOTDIR : error, setting: setting)
        }
    }

    private static func isFolder(_ path: String) -> Bool {
        var facts = stat()
        return unsafe stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR
    }

    /// Replaces the file's contents by `text`. They are on the disk before it returns: if a power failure loses a secret after
    /// something was sealed with it, its owner is locked out.
    static func write(_ text: String, to path: String) throws(StartFailure) {
        do {
            try PrivateFile.write(Array(text.utf8), to: path)
        } catch {
            throw StartFailure(error.description)
        }
    }

    /// Returns the text of the file, or `nil` if there is no file or it cannot be read.
    static func read(_ path: String) -> String? {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: bytesMax)
        let count = unsafe Glibc.read(file, &bytes, bytesMax)
        return count < 0 ? nil : String(decoding: bytes.prefix(count), as: UTF8.self)
    }

    /// Removes the file. It is not an error if the file does not exist or cannot be removed.
    static func remove(_ path: String) { _ = unsafe unlink(path) }
}
