import FoundationEssentials
import Glibc

/// The append-only file of a stack's Redis, and how long it was at one moment.
struct RedisTail: Sendable {
    private let path: String
    private let length: UInt64

    /// There is no append-only file, or more than one.
    struct NoFile: Error {}

    /// Notes the length of the file that Redis appends to now.
    init(in dataDirectory: String) throws {
        let folder = dataDirectory + "/redis/appendonlydir"
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".incr.aof") }
        guard let name = names.first, names.count == 1 else { throw NoFile() }
        path = folder + "/" + name
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        guard let size = attributes[.size] as? UInt64 else { throw NoFile() }
        length = size
    }

    /// Drops what was appended since.
    func cut() throws {
        guard let length = off_t(exactly: length), unsafe truncate(path, length) == 0 else { throw NoFile() }
    }
}
