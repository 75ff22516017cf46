import Foundation

/// Facts about a file from the file system.
enum FileFacts {
    /// Returns the size of the file, or of the one that a link leads to; 0 if it does not exist.
    static func byteCount(_ path: String) -> Int64 {
        // Attributes are those of the link itself: a database that a link leads to would be taken for an empty file.
        do {
            let size = try FileManager.default.attributesOfItem(atPath: target(of: path))[.size] as? NSNumber
            return size?.int64Value ?? 0
        } catch {
            return 0
        }
    }

    /// The absolute path of the file itself, also if `path` is a link to it.
    static func target(of path: String) -> String {
        URL(filePath: path).resolvingSymlinksInPath().path(percentEncoded: false)
    }
}
