import Testing

@testable import ControlCore

@Suite struct LineSplitterTests {
    /// The lines of `text`, fed `size` bytes at a time.
    private func lines(_ text: String, by size: Int, bytesMax: Int = 5) -> [String?] {
        var splitter = LineSplitter(lineBytesMax: bytesMax)
        let bytes = Array(text.utf8)
        var lines: [LineSplitter.Line] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            lines += splitter.feed(bytes[start..<min(start + size, bytes.count)])
        }
        if let last = splitter.finish() { lines.append(last) }
        return lines.map { if case .bytes(let bytes) = $0 { String(decoding: bytes, as: UTF8.self) } else { nil } }
    }

    @Test(arguments: [1, 2, 3, 7, 1000])
    func `lines come in order, however they arrive`(size: Int) {
        #expect(lines("", by: size) == [])
        #expect(lines("\n", by: size) == [""])
        #expect(lines("a\n\nb \r\nc", by: size) == ["a", "", "b \r", "c"])
        #expect(lines("a\nb\n", by: size) == ["a", "b"])
    }

    @Test(arguments: [1, 2, 5, 6, 1000])
    func `a line that is too long is one answer, and the next is read`(size: Int) {
        let long = String(repeating: "x", count: 5000)
        #expect(lines("12345\n123456\nok\n", by: size) == ["12345", nil, "ok"])
        #expect(lines(long + "\nok\n" + long, by: size) == [nil, "ok", nil])
        #expect(lines("123456", by: size) == [nil])
    }
}
