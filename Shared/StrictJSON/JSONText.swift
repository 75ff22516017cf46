/// A JSON text that `Encodable` types write from front to back.
///
/// A value is identified by its place, the number of bytes before it. `Codable` never announces a container's end, so a
/// write to one container closes all that were opened after it. Interleaved writes are not supported: a write to a closed
/// container makes encoding throw.
final class JSONText {
    private var bytes: [UInt8] = []
    /// The places of the open objects and arrays, outermost first.
    private var open: [Int] = []
    /// The place of the value that was started last; at first that of the whole text.
    private var begun = 0
    /// Whether something was written to a closed container.
    private var isBroken = false

    /// Returns the whole text; `nil` if something was written to a closed container.
    func finished() -> [UInt8]? {
        close(after: -1)
        return isBroken ? nil : bytes
    }

    /// Writes `string` in quotes as the value at `place`.
    func write(quoted string: String, at place: Int) {
        if isFree(place) { bytes.append(quoted: string) }
    }

    /// Writes a literal or a number as the value at `place`.
    func write(_ scalar: String, at place: Int) {
        if isFree(place) { bytes.append(contentsOf: scalar.utf8) }
    }

    /// Opens the object or array at `place`; a type may request the same container twice.
    func open(_ bracket: UInt8, at place: Int) {
        close(after: place)
        if open.last == place {
            if bytes[place] != bracket { isBroken = true }
        } else if isFree(place) {
            bytes.append(bracket)
            open.append(place)
        }
    }

    /// Starts the next element of the array at `array`, and returns the element's place.
    func beginElement(of array: Int) -> Int {
        separate(in: array)
        begun = bytes.count
        return begun
    }

    /// Starts the next member of the object at `object`, and returns the place of its value.
    func beginMember(_ name: String, of object: Int) -> Int {
        separate(in: object)
        bytes.append(quoted: name)
        bytes.append(UInt8(ascii: ":"))
        begun = bytes.count
        return begun
    }

    /// Finishes the previous entry in the container at `container`.
    private func separate(in container: Int) {
        close(after: container)
        if open.last != container { isBroken = true }
        if bytes.count > container + 1 { bytes.append(UInt8(ascii: ",")) }
    }

    /// Closes all values whose places are after `place`; one that wrote nothing becomes an empty object.
    private func close(after place: Int) {
        if begun > place, begun == bytes.count { bytes.append(contentsOf: "{}".utf8) }
        while let last = open.last, last > place {
            open.removeLast()
            bytes.append(bytes[last] == UInt8(ascii: "{") ? UInt8(ascii: "}") : UInt8(ascii: "]"))
        }
    }

    private func isFree(_ place: Int) -> Bool {
        if place != bytes.count { isBroken = true }
        return !isBroken
    }
}

extension [UInt8] {
    /// Appends a string in quotes, with only the escapes that RFC 8259 §7 requires.
    mutating func append(quoted string: String) {
        append(UInt8(ascii: "\""))
        if string.utf8Span.span.plainCount < string.utf8.count {
            for byte in string.utf8 { append(escaped: byte) }
        } else {
            append(contentsOf: string.utf8)
        }
        append(UInt8(ascii: "\""))
    }

    private mutating func append(escaped byte: UInt8) {
        if byte.needsEscape { append(UInt8(ascii: "\\")) }
        guard byte < 0x20 else { return append(byte) }
        let digits = String(byte, radix: 16)
        append(contentsOf: (digits.count == 1 ? "u000" : "u00").utf8)
        append(contentsOf: digits.utf8)
    }
}

extension UInt8 {
    /// Whether JSON strings contain the byte only as an escape.
    var needsEscape: Bool { self < 0x20 || self == UInt8(ascii: "\"") || self == UInt8(ascii: "\\") }
}

extension Span<UInt8> {
    var plainCount: Int {
        var count = 0
        while count < self.count, !self[count].needsEscape { count += 1 }
        return count
    }
}
