/// The contents of a secret file. All secret files are read through this type.
///
/// Line ends (LF, CR LF or CR) at the end of the file are not part of the secret. A file that an editor has saved in another
/// encoding, or with a byte order mark, is refused: its bytes would silently become part of the secret.
package struct SecretText: Sendable {
    /// The largest secret file that is read, in bytes.
    package static let bytesMax = 64 * 1024

    /// A secret file that cannot be used. The text never contains a part of the secret.
    package enum Problem: Error, Equatable, CustomStringConvertible {
        case unreadable
        case tooLong
        case byteOrderMark
        case notUTF8
        case nul
        case empty
        case severalLines

        package var description: String {
            switch self {
            case .unreadable: "cannot be read"
            case .tooLong: "has more than \(bytesMax) bytes"
            case .byteOrderMark: "begins with a byte order mark: save it as UTF-8 without BOM"
            case .notUTF8: "is not UTF-8 text"
            case .nul: "contains a NUL byte: save it as UTF-8 text"
            case .empty: "is empty; expected one line"
            case .severalLines: "has a line end inside; expected one line"
            }
        }
    }

    /// The text without the line ends at its end. Lines within it end in LF.
    package let text: String

    /// Reads the file at `path`.
    package init(path: String) throws(Problem) {
        let bytes: [UInt8]
        do { bytes = try PrivateFile.bytes(path, max: Self.bytesMax + 1) } catch { throw .unreadable }
        try self.init(bytes)
    }

    /// Reads the bytes of a file.
    package init(_ bytes: [UInt8]) throws(Problem) {
        guard bytes.count <= Self.bytesMax else { throw .tooLong }
        let marks: [[UInt8]] = [[0xEF, 0xBB, 0xBF], [0xFE, 0xFF], [0xFF, 0xFE]]
        guard !marks.contains(where: { bytes.starts(with: $0) }) else { throw .byteOrderMark }
        guard !bytes.contains(0) else { throw .nul }
        guard let text = String(validating: Self.lines(bytes), as: UTF8.self) else { throw .notUTF8 }
        self.text = text
    }

    /// The secret of a file that contains exactly one line.
    package func line() throws(Problem) -> String {
        guard !text.isEmpty else { throw .empty }
        guard !text.utf8.contains(Self.lineFeed) else { throw .severalLines }
        return text
    }

    private static let (lineFeed, carriageReturn) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))

    /// The bytes with each line end as one LF, without those at the end.
    private static func lines(_ bytes: [UInt8]) -> [UInt8] {
        var lines: [UInt8] = []
        lines.reserveCapacity(bytes.count)
        for (index, byte) in bytes.enumerated() {
            guard byte == lineFeed || byte == carriageReturn else {
                lines.append(byte)
                continue
            }
            if byte == lineFeed, index > 0, bytes[index - 1] == carriageReturn { continue }
            lines.append(lineFeed)
        }
        while lines.last == lineFeed { lines.removeLast() }
        return lines
    }
}
