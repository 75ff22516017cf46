import GRDB
import GRDBSQLite
import Storage

/// A connection's database file or write-ahead log, read through the descriptor that SQLite itself has opened.
///
/// Another descriptor would end SQLite's locks when it is closed (`LogIndex`). Valid inside the access to the connection in
/// which it was made, after a first read.
@safe struct RawFile {
    enum Kind: Int32 {
        case database = 7
        case log = 28
    }

    private static let logHeaderBytes: Int64 = 32
    private static let frameHeaderBytes: Int64 = 24

    private let file: UnsafeMutablePointer<sqlite3_file>

    init(_ kind: Kind, in database: Database) throws(StorageError) {
        var file: UnsafeMutablePointer<sqlite3_file>?
        let found = unsafe sqlite3_file_control(database.sqliteConnection, "main", kind.rawValue, &file)
        guard found == SQLITE_OK, let file = unsafe file, unsafe file.pointee.pMethods != nil else {
            throw StorageError(.io, "SQLite has not opened the file")
        }
        unsafe self.file = file
    }

    /// Returns `count` bytes from `offset` on.
    func bytes(_ count: Int, at offset: Int64) throws(StorageError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let result = unsafe bytes.withUnsafeMutableBytes { unsafe read($0, at: offset) }
        guard result == SQLITE_OK else { throw StorageError(.io, "a page cannot be read: error \(result)") }
        return bytes
    }

    /// Returns the number of the page in a frame of the log, counted from 0.
    func pageNumber(inFrame frame: UInt32, pageBytes: Int) throws(StorageError) -> UInt32 {
        try number(at: Self.offset(ofFrame: frame, pageBytes: pageBytes))
    }

    /// Whether a frame of the log, counted from 0, is the last one of a commit.
    func isCommit(frame: UInt32, pageBytes: Int) throws(StorageError) -> Bool {
        try number(at: Self.offset(ofFrame: frame, pageBytes: pageBytes) + 4) != 0
    }

    private func number(at offset: Int64) throws(StorageError) -> UInt32 {
        var number: UInt32 = 0
        let result = unsafe withUnsafeMutableBytes(of: &number) { unsafe read($0, at: offset) }
        guard result == SQLITE_OK else { throw StorageError(.io, "a frame cannot be read: error \(result)") }
        return UInt32(bigEndian: number)
    }

    /// Returns the page in a frame of the log, counted from 0.
    func page(inFrame frame: UInt32, pageBytes: Int) throws(StorageError) -> [UInt8] {
        try bytes(pageBytes, at: Self.offset(ofFrame: frame, pageBytes: pageBytes) + Self.frameHeaderBytes)
    }

    private func read(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int64) -> Int32 {
        guard let read = unsafe file.pointee.pMethods.pointee.xRead else { return SQLITE_IOERR }
        return unsafe read(file, buffer.baseAddress, Int32(clamping: buffer.count), offset)
    }

    private static func offset(ofFrame frame: UInt32, pageBytes: Int) -> Int64 {
        logHeaderBytes + Int64(frame) * (frameHeaderBytes + Int64(pageBytes))
    }
}
