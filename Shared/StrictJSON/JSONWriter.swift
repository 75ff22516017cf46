/// Writes one JSON object, members in the order given, strings escaped as RFC 8259 §7 requires and no further.
package struct JSONWriter {
    /// Room for most of our objects, so that they grow without being moved.
    private static let usualBytes = 256

    private var text: [UInt8] = []
    private var isEmpty = true

    package init() { text.reserveCapacity(Self.usualBytes) }

    package mutating func member(_ name: String, _ value: String) {
        begin(name)
        text.append(quoted: value)
    }

    package mutating func member(_ name: String, _ value: Int64) {
        begin(name)
        text.append(decimal: value)
    }

    package mutating func member(_ name: String, _ value: Bool) {
        begin(name)
        text.append(value)
    }

    package mutating func member(_ name: String, _ values: [String]) {
        begin(name)
        text.append(UInt8(ascii: "["))
        for (position, value) in values.enumerated() {
            if position > 0 { text.append(UInt8(ascii: ",")) }
            text.append(quoted: value)
        }
        text.append(UInt8(ascii: "]"))
    }

    /// The whole object, closed.
    package consuming func finished() -> [UInt8] {
        if isEmpty { text.append(UInt8(ascii: "{")) }
        text.append(UInt8(ascii: "}"))
        return text
    }

    private mutating func begin(_ name: String) {
        text.append(isEmpty ? UInt8(ascii: "{") : UInt8(ascii: ","))
        isEmpty = false
        text.append(quoted: name)
        text.append(UInt8(ascii: ":"))
    }
}
