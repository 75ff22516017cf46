import Glibc
import PrivateFiles
import Storage

/// The file `….pages.taken`: the marks that the copier has taken and whose pages are not at the target yet.
///
/// They are taken over from `PageMarks` and stay until a copy is complete, so that a copier that was killed copies them again.
struct TakenPages {
    static let suffix = PageMarks.suffix + ".taken"
    private static let idBytes = 16
    private static let bytesMax = 1 << 29

    let path: String
    let copier: [UInt8]

    init(databasePath: String, copier: [UInt8]) {
        path = FileFacts.target(of: databasePath) + Self.suffix
        self.copier = copier
    }

    /// Returns the pages, or `nil` if the file belongs to another copier.
    func read() throws(FileFailure) -> PageSet? {
        guard PrivateFile.exists(path) else { return PageSet() }
        let bytes = try PrivateFile.bytes(path, max: min(Self.bytesMax, Int(FileFacts.byteCount(path))))
        guard Array(bytes.prefix(Self.idBytes)) == copier else { return nil }
        return PageSet(bits: Array(bytes.dropFirst(Self.idBytes)))
    }

    /// Adds pages; a reader sees all of them or none.
    func add(_ pages: PageSet) throws(FileFailure) {
        guard !pages.isEmpty else { return }
        var all = try read() ?? PageSet()
        all.formUnion(pages)
        try PrivateFile.write(copier + all.bits, to: path)
    }

    func remove() throws(FileFailure) { try PrivateFile.remove(path) }
}
