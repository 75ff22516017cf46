/// The begin and end marks of a PEM file (RFC 7468), which show whether it is complete.
enum PEMText {
    /// Whether every object has its end mark; a file that is only half written lacks the last one.
    ///
    /// - Parameter label: The end of the objects' label, e.g. `PRIVATE KEY` also for `EC PRIVATE KEY`.
    static func isWhole(_ text: [UInt8], label: String) -> Bool {
        let begun = count(text, label: label)
        return begun > 0 && begun == count(of: "\(label)-----", after: end, in: text) && endsWhole(text)
    }

    private static let end = "-----END "

    /// Whether the last line is not a partial mark.
    private static func endsWhole(_ text: [UInt8]) -> Bool {
        guard let last = lines(text).last, last.first == UInt8(ascii: "-") else { return true }
        return last.starts(with: end.utf8) && last.suffix(5).elementsEqual("-----".utf8)
    }

    /// Returns the number of begin marks.
    static func count(_ text: [UInt8], label: String) -> Int {
        count(of: "\(label)-----", after: "-----BEGIN ", in: text)
    }

    private static func count(of end: String, after start: String, in text: [UInt8]) -> Int {
        lines(text).count { $0.starts(with: start.utf8) && $0.suffix(end.utf8.count).elementsEqual(end.utf8) }
    }

    private static func lines(_ text: [UInt8]) -> [ArraySlice<UInt8>] {
        text.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
    }
}
