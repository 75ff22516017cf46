/// Writes one JSON object with its members in the given order, with only the escapes that RFC 8259 §7 requires.
package struct JSONWriter {
    private var text: [UInt8] = []

    package init() {}

    /// Writes a member whose value is a string.
    package mutating func member(_ name: String, _ value: String) {
        begin(name)
        text.append(quoted: value)
    }

    /// Writes a member whose value is a whole number.
    package mutating func member(_ name: String, _ value: Int64) {
        begin(name)
        text.append(contentsOf: value.description.utf8)
    }

    /// Writes a member whose value is true or false.
    package mutating func member(_ name: String, _ value: Bool) {
        begin(name)
        text.append(contentsOf: value.description.utf8)
    }

    /// Writes a member whose value is an array of strings.
    package mutating func member(_ name: String, _ values: [String]) {
        begin(name)
        text.append(UInt8(ascii: "["))
        for (position, value) in values.enumerated() {
            if position > 0 { text.append(UInt8(ascii: ",")) }
            text.append(quoted: value)
        }
        text.append(UInt8(ascii: "]"))
    }

    /// Writes a member whose value is JSON already.
    package mutating func member(_ name: String, json: [UInt8]) {
        begin(name)
        text.append(contentsOf: json)
    }

    /// Writes a member whose value is an object with the member `sub`.
    package mutating func member(_ name: String, sub: String) {
        begin(name)
        text.append(contentsOf: #"{"sub":"#.utf8)
        text.append(quoted: sub)
        text.append(UInt8(ascii: "}"))
    }

    /// Returns the whole object, closed.
    package consuming func finished() -> [UInt8] {
        if text.isEmpty { text.append(UInt8(ascii: "{")) }
        text.append(UInt8(ascii: "}"))
        return text
    }

    private mutating func begin(_ name: String) {
        text.append(text.isEmpty ? UInt8(ascii: "{") : UInt8(ascii: ","))
        text.append(quoted: name)
        text.append(UInt8(ascii: ":"))
    }
}
