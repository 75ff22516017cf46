import Foundation

/// The lines of a UTF-8 file, read one at a time. Blank lines and byte order marks are skipped.
final class FileLines {
    struct Line {
        /// The line number, counted from 1.
        let number: Int
        /// The line without its end, or `nil` if it is too long.
        let bytes: [UInt8]?
    }

    private static let chunkBytes = 65_536
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private let handle: FileHandle
    private let bytesMax: Int
    private var chunk = Data()
    private var position = 0
    private var number = 0

    /// - Throws: `CommandFailure` if the file cannot be read, or is not UTF-8 throughout.
    init(path: String, bytesMax: Int) throws {
        guard let handle = FileHandle(forReadingAtPath: path) else {
            throw CommandFailure(description: "\(path) cannot be read")
        }
        self.handle = handle
        self.bytesMax = bytesMax
        guard try !startsWithWideCharacters() else {
            throw CommandFailure(
                description: "\(path) is in UTF-16 or UTF-32. Convert it first: iconv -f UTF-16 -t UTF-8 IN > OUT")
        }
    }

    /// Whether the file begins with text of two or four bytes a character, of which every line would be refused. Such text has
    /// a zero byte in its first character, or a byte order mark of its own.
    private func startsWithWideCharacters() throws -> Bool {
        guard try fill() else { return false }
        let start = Array(chunk.prefix(2))
        return start.count == 2 && (start.contains(0) || start == [0xFF, 0xFE] || start == [0xFE, 0xFF])
    }

    /// Returns the next line that is not blank, or `nil` at the end.
    func next() throws -> Line? {
        while let line = try read() {
            let isBlank = line.bytes?.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            if isBlank != true { return line }
        }
        return nil
    }

    private func read() throws -> Line? {
        var bytes: [UInt8] = []
        var hasAny = false
        var isTooLong = false
        while try fill() {
            hasAny = true
            let rest = chunk[position...]
            let end = rest.firstIndex(of: UInt8(ascii: "\n"))
            let part = rest[..<(end ?? rest.endIndex)]
            isTooLong = isTooLong || bytes.count + part.count > bytesMax
            if !isTooLong { bytes += part }
            position = end.map { $0 + 1 } ?? rest.endIndex
            if end != nil { break }
        }
        guard hasAny else { return nil }
        number += 1
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        // A byte order mark can be at the start of a file, and inside one that was put together from several.
        if bytes.starts(with: Self.byteOrderMark) { bytes.removeFirst(Self.byteOrderMark.count) }
        return Line(number: number, bytes: isTooLong ? nil : bytes)
    }

    /// Whether there is anything left to read.
    private func fill() throws -> Bool {
        if position < chunk.endIndex { return true }
        chunk = try handle.read(upToCount: Self.chunkBytes) ?? Data()
        position = chunk.startIndex
        return !chunk.isEmpty
    }
}
