import Foundation
import PrivateFiles

/// A file of old and new ids, readable only by its owner. It gets its name once it is complete.
///
/// Its lines have the form that PostgreSQL's `COPY` reads, since an id can contain tabs and line ends.
final class IDMap {
    private let path: String
    private let draft: String
    private let handle: FileHandle

    /// - Throws: `FileFailure` or `CommandFailure` if the file cannot be created at the path.
    init(path: String) throws {
        self.path = path
        draft = path + ".part"
        // This is the draft of an import that was killed.
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

    /// Writes the file to the disk and moves it to its path.
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
