import Foundation

/// The lines of a file one after the other, of which the memory holds one; longer ones than it may be are passed over.
final class FileLines {
    struct Line {
        /// Counted from 1.
        let number: Int
        /// Without its end; nil for one that is too long.
        let bytes: [UInt8]?
    }

    private static let chunkBytes = 65_536

    private let handle: FileHandle
    private let bytesMax: Int
    private var chunk = Data()
    private var position = 0
    private var number = 0

    /// - Throws: `CommandFailure` for a file that cannot be read.
    init(path: String, bytesMax: Int) throws {
        guard let handle = FileHandle(forReadingAtPath: path) else {
            throw CommandFailure(description: "\(path) cannot be read")
        }
        self.handle = handle
        self.bytesMax = bytesMax
    }

    /// The next line that is not empty; nil at the end.
    func next() throws -> Line? {
        while let line = try read() {
            if line.bytes?.isEmpty != true { return line }
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
        return Line(number: number, bytes: isTooLong ? nil : bytes)
    }

    /// Whether there is something to read.
    private func fill() throws -> Bool {
        if position < chunk.endIndex { return true }
        chunk = try handle.read(upToCount: Self.chunkBytes) ?? Data()
        position = chunk.startIndex
        return !chunk.isEmpty
    }
}
