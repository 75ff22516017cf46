import Logging

/// One line of the log while it is written: a JSON object in which no value can forge a line or move a terminal's cursor
/// (security guide R-91).
struct LogLine {
    /// The maximal number of characters of a value; the remainder is cut off.
    static let valueLengthMax = 2048
    private static let digits = Array("0123456789abcdef".utf8)

    private var bytes: [UInt8] = []

    /// Creates a line with the members that all lines have: time, level, process and message.
    init(level: Logger.Level, process: String, message: String) {
        bytes.reserveCapacity(512)
        append("time", LogClock.text())
        append("level", level.rawValue)
        append("process", process)
        append("message", message)
    }

    /// Appends a member.
    mutating func append(_ name: String, _ value: String) {
        bytes.append(bytes.isEmpty ? UInt8(ascii: "{") : UInt8(ascii: ","))
        append(quoted: name)
        bytes.append(UInt8(ascii: ":"))
        append(quoted: value)
    }

    /// Appends a member of a log event: a number if it is one, otherwise a string.
    mutating func append(_ name: String, _ value: Logger.MetadataValue) {
        guard let number = Self.number(value) else { return append(name, value.description) }
        bytes.append(UInt8(ascii: ","))
        append(quoted: name)
        bytes.append(UInt8(ascii: ":"))
        bytes.append(contentsOf: number.utf8)
    }

    private static func number(_ value: Logger.MetadataValue) -> String? {
        guard case .stringConvertible(let value) = value else { return nil }
        switch value {
        case let number as Int: return number.description
        case let number as any BinaryInteger: return number.description
        case let number as Double where number.isFinite: return number.description
        default: return nil
        }
    }

    /// The whole line with its line end.
    consuming func finished() -> [UInt8] {
        bytes.append(contentsOf: "}\n".utf8)
        return bytes
    }

    private mutating func append(quoted text: String) {
        bytes.append(UInt8(ascii: "\""))
        if Self.standsForItself(text) {
            bytes.append(contentsOf: text.utf8)
        } else {
            for scalar in text.unicodeScalars.prefix(Self.valueLengthMax) { append(escaped: scalar) }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Whether a text is short and plain ASCII, as nearly all are, so that it needs no escapes.
    private static func standsForItself(_ text: String) -> Bool {
        let span = text.utf8.span
        guard span.count <= valueLengthMax else { return false }
        for index in span.indices {
            let byte = span[index]
            guard byte >= 0x20, byte < 0x7F, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") else {
                return false
            }
        }
        return true
    }

    private mutating func append(escaped scalar: Unicode.Scalar) {
        switch scalar {
        case "\"": bytes.append(contentsOf: "\\\"".utf8)
        case "\\": bytes.append(contentsOf: "\\\\".utf8)
        case "\n": bytes.append(contentsOf: "\\n".utf8)
        case "\u{00}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}":
            bytes.append(contentsOf: "\\u".utf8)
            for shift in [12, 8, 4, 0] as [UInt32] { bytes.append(Self.digits[Int(scalar.value >> shift & 15)]) }
        default: bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        }
    }
}
