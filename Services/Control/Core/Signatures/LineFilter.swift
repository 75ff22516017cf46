import Glibc

/// Writes one line for each line of a stream, in order. All lines that were read have their results before more input is
/// awaited.
struct LineFilter {
    private static let chunkBytes = 65536

    let lineBytesMax: Int
    /// Returns the result of one line, without its line feed.
    let answer: (LineSplitter.Line) -> String

    /// Reads `input` to its end and writes to `output`.
    ///
    /// - Throws: `CommandFailure` if either fails.
    func run(from input: Int32 = STDIN_FILENO, to output: Int32 = STDOUT_FILENO) throws {
        var splitter = LineSplitter(lineBytesMax: lineBytesMax)
        while let chunk = try FileBytes.next(of: input, bytesMax: Self.chunkBytes) {
            try write(splitter.feed(chunk[...]), to: output)
        }
        if let last = splitter.finish() { try write([last], to: output) }
    }

    private func write(_ lines: [LineSplitter.Line], to output: Int32) throws {
        try FileBytes.write(lines.flatMap { Array(answer($0).utf8) + [UInt8(ascii: "\n")] }, to: output)
    }
}
