/// Cuts a stream of bytes into lines, and never stores more than one line's bound.
struct LineSplitter {
    enum Line: Equatable {
        /// The bytes between two line feeds, including any carriage return.
        case bytes([UInt8])
        /// A line of more than `lineBytesMax` bytes, which were dropped.
        case tooLong
    }

    let lineBytesMax: Int
    private var pending: [UInt8] = []
    private var isTooLong = false

    init(lineBytesMax: Int) { self.lineBytesMax = lineBytesMax }

    /// Returns the lines that `chunk` completes.
    mutating func feed(_ chunk: ArraySlice<UInt8>) -> [Line] {
        var lines: [Line] = []
        var rest = chunk
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            append(rest[..<end])
            lines.append(take())
            rest = rest[(end + 1)...]
        }
        append(rest)
        return lines
    }

    /// Returns the last line, if the stream ended without a line feed after it.
    mutating func finish() -> Line? {
        pending.isEmpty && !isTooLong ? nil : take()
    }

    private mutating func append(_ piece: ArraySlice<UInt8>) {
        guard !isTooLong else { return }
        guard piece.count <= lineBytesMax - pending.count else {
            isTooLong = true
            pending = []
            return
        }
        pending += piece
    }

    private mutating func take() -> Line {
        defer {
            pending = []
            isTooLong = false
        }
        return isTooLong ? .tooLong : .bytes(pending)
    }
}
