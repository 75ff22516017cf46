/// Whether YAML 1.1 reads a text without quotes as text, and not as a number, truth value, time or null.
///
/// A text that it would read as one of those is refused if text is required: `NO` is Norway for people and false for YAML
/// (yaml.org/type, "Language-Independent Types").
enum PlainScalar {
    private static let words: Set<String> = [
        "", "~", "null", "Null", "NULL", "<<", "=",
        "yes", "Yes", "YES", "no", "No", "NO", "true", "True", "TRUE", "false", "False", "FALSE",
        "on", "On", "ON", "off", "Off", "OFF",
        ".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF", "-.inf", "-.Inf", "-.INF", ".nan", ".NaN", ".NAN",
    ]

    static func isText(_ text: String) -> Bool {
        if words.contains(text) { return false }
        let bytes = Array(text.utf8)
        let unsigned = bytes.first.map(isSign) == true ? bytes[1...] : bytes[...]
        return !isNumber(unsigned) && !isTime(bytes[...])
    }

    /// Whether a text is a number such as `1_000`, `0x1F`, `0o17`, `0b1`, `1.5e3`, `.5`, or in sixties `12:30:45`.
    private static func isNumber(_ bytes: ArraySlice<UInt8>) -> Bool {
        for (prefix, isDigit) in [("0x", isHexDigit), ("0o", isDigitOrMark), ("0b", isDigitOrMark)] {
            guard bytes.starts(with: prefix.utf8), bytes.count > 2 else { continue }
            return bytes.dropFirst(2).allSatisfy(isDigit)
        }
        var rest = bytes
        guard let first = rest.first, isDigit(first) || first == UInt8(ascii: ".") else { return false }
        let whole = take(&rest, while: isDigitOrMark)
        while whole > 0, rest.first == UInt8(ascii: ":") {
            rest.removeFirst()
            guard (1...2).contains(take(&rest, while: isDigit)) else { return false }
        }
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            guard take(&rest, while: isDigitOrMark) > 0 || whole > 0 else { return false }
        }
        if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
            rest.removeFirst()
            if rest.first.map(isSign) == true { rest.removeFirst() }
            guard take(&rest, while: isDigit) > 0 else { return false }
        }
        return rest.isEmpty
    }

    /// Whether a text is a day such as `2026-01-31`, with or without a time of day after it.
    private static func isTime(_ bytes: ArraySlice<UInt8>) -> Bool {
        var rest = bytes
        guard take(&rest, while: isDigit) == 4 else { return false }
        for _ in 0..<2 {
            guard rest.popFirst() == UInt8(ascii: "-"), (1...2).contains(take(&rest, while: isDigit)) else {
                return false
            }
        }
        guard let next = rest.first else { return true }
        return [UInt8(ascii: "T"), UInt8(ascii: "t"), UInt8(ascii: " "), UInt8(ascii: "\t")].contains(next)
    }

    /// Removes the bytes at the start that fit, and returns how many there were.
    private static func take(_ bytes: inout ArraySlice<UInt8>, while fits: (UInt8) -> Bool) -> Int {
        let count = bytes.prefix(while: fits).count
        bytes.removeFirst(count)
        return count
    }

    private static func isSign(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") }
    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
    private static func isDigitOrMark(_ byte: UInt8) -> Bool { isDigit(byte) || byte == UInt8(ascii: "_") }
    private static func isHexDigit(_ byte: UInt8) -> Bool {
        isDigitOrMark(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
    }
}
