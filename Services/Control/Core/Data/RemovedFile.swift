import CryptoPrimitives
import FoundationEssentials

/// A list of removed users, as `users removed` prints it.
enum RemovedFile {
    private static let bytesMax = 256 << 20

    /// Reads the ids as 16 bytes each.
    ///
    /// - Throws: `CommandFailure` that identifies the first line that is not an id.
    static func read(_ path: String) throws -> [[UInt8]] {
        let contents: Data
        do { contents = try Data(contentsOf: URL(filePath: path)) } catch {
            throw CommandFailure(description: "cannot read the file \(path). Does it exist, and may you read it?")
        }
        guard contents.count <= bytesMax else { throw CommandFailure(description: "\(path) is no list of ids") }
        do throws(BadLine) { return try ids(contents) } catch {
            throw CommandFailure(description: "\(path), line \(error.number): no id as 'users removed' prints it")
        }
    }

    /// The error of a line that is not an id.
    struct BadLine: Error, Equatable { let number: Int }

    /// Returns the ids in a list's text, which has lines of one deployment's prefix and 32 digits.
    static func ids(_ text: some BidirectionalCollection<UInt8>) throws(BadLine) -> [[UInt8]] {
        var ids: [[UInt8]] = []
        var prefix: [UInt8]?
        let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: true)
        for (index, line) in lines.enumerated() {
            guard let id = IDText(line), id.prefix == prefix ?? id.prefix else { throw BadLine(number: index + 1) }
            prefix = id.prefix
            ids.append(id.bytes)
        }
        return ids
    }
}

/// An id as lists contain it: the deployment's prefix and 32 hexadecimal digits.
struct IDText {
    private static let digitCount = 32

    let prefix: [UInt8]
    let bytes: [UInt8]

    /// Reads an id, or returns `nil` if the text is not one.
    init?(_ text: some BidirectionalCollection<UInt8>) {
        let digits = String(decoding: text.suffix(Self.digitCount), as: UTF8.self)
        guard text.count >= Self.digitCount, let bytes = Hex.decode(digits), Hex.encode(bytes) == digits else {
            return nil
        }
        prefix = Array(text.dropLast(Self.digitCount))
        self.bytes = bytes
    }
}
