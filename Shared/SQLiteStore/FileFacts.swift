internal import Foundation

/// What the file system says of a file.
enum FileFacts {
    /// The size of the file; 0 when there is none.
    static func byteCount(_ path: String) -> Int64 {
        do {
            let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber
            return size?.int64Value ?? 0
        } catch {
            return 0
        }
    }
}
