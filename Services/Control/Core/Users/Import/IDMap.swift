import Foundation
import PrivateFiles

/// A file of old and new ids, readable by its owner alone, which takes its place once it is whole.
///
/// Its lines are what PostgreSQL's `COPY` reads: an id can have tabs and line ends.
final class IDMap {
    private let path: String
    private let draft: String
    private let handle: FileHandle

    /// - Throws: `FileFailure` or `CommandFailure` for a place where none can be.
    init(path: String) throws {
        self.path = path
        draft = path + ".part"
        // What an import that was killed has left.
        try PrivateFile.remove(draft)
        try PrivateFile.create(draft)
        guard let handle = FileHandle(forWritingAtPath: draft) else {
            throw CommandFailure(description: "\(draft) cannot be written")
        }
        self.handle = handle
    }

    func add(_ old: String, _ new: String) throws {
        try handle.write(contentsOf: Data("\(Self.escaped(old))\t\(Self.escaped(new))\n".utf8))
    }

    /// Puts it into its place, on the disk.
    func finish() throws {
        try handle.synchronize()
        try handle.close()
        try PrivateFile.move(draft, to: path)
    }

    static func escaped(_ id: String) -> String {
        id.unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar {
            case "\\": text += "\\\\"
            case "\t": text += "\\t"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            default: text.unicodeScalars.append(scalar)
            }
        }
    }
}
