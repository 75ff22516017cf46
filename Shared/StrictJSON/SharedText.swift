/// The one text to which all containers of a value write.
final class SharedText {
    var text = JSONText()

    /// Any value, whole, in a place at `level`.
    func append(_ value: some Encodable, atLevel level: Int) throws {
        let start = text.bytes.count
        try value.encode(to: TextEncoder(self, level: level))
        text.endValue(from: start, atLevel: level)
    }

    func append(_ value: Double, atLevel level: Int) throws {
        guard value.isFinite else {
            let context = EncodingError.Context(
                codingPath: text.path(toLevel: level), debugDescription: "not a JSON number")
            throw EncodingError.invalidValue(value, context)
        }
        text.append(value)
    }
}
