import Foundation

/// What the file system says of a file.
enum FileFacts {
    /// The size of the file, or of the one that a link leads to; 0 when there is none.
    static func byteCount(_ path: String) -> Int64 {
        // Attributes are those of the link itself: a database behind one would be taken for an empty file.
        let file = URL(filePath: path).resolvingSymlinksInPath().path(percentEncoded: false)
        do {
            let size = try FileManager.default.attributesOfItem(atPath: file)[.size] as? NSNumber
            return size?.int64Value ?? 0
        } catch {
            return 0
        }
    }
}
