/// A JSON text while `Encodable` types write it, front to back.
///
/// `Codable` never announces a container's end, so a write at one level closes all deeper ones. Interleaved writes are not
/// supported: a write to a container that is closed is noted, and encoding throws.
struct JSONText {
    /// Room for most of our texts, so that they grow without being moved.
    private static let usualBytes = 512

    private(set) var bytes: [UInt8] = []
    /// Whether something was written to a container that was closed: then the text is not what was meant.
    private(set) var isMixedUp = false
    /// The open objects and arrays, outermost first.
    private var open: [Level] = []

    init() { bytes.reserveCapacity(Self.usualBytes) }

    /// Opens an object or an array in the place of a value at `level`; the one that is open there is used again.
    mutating func begin(_ opening: UInt8, closing: UInt8, atLevel level: Int) {
        if open.count > level {
            close(downTo: level + 1)
        } else {
            bytes.append(opening)
            open.append(Level(closing: closing))
        }
    }

    /// Closes what is open below `level`.
    mutating func close(downTo level: Int) {
        while open.count > level, let last = open.popLast() { bytes.append(last.closing) }
    }

    /// Ends the value that began at `start`, in a place at `level`; one that wrote nothing is an object without members.
    mutating func endValue(from start: Int, atLevel level: Int) {
        if open.count > level { close(downTo: level) }
        if bytes.count == start { bytes.append(contentsOf: "{}".utf8) }
    }

    /// Makes ready for the next element of the array at `level`.
    mutating func beginElement(atLevel level: Int) {
        guard separate(atLevel: level) else { return }
        open[level - 1].place += 1
    }

    /// Makes ready for the value of the member of that name, in the object at `level`.
    mutating func beginMember(_ name: String, atLevel level: Int) {
        if separate(atLevel: level) { open[level - 1].place = bytes.count }
        bytes.append(quoted: name)
        bytes.append(UInt8(ascii: ":"))
    }

    /// Ends what stands before in the container at `level`; false when the container is closed already.
    @inline(__always)
    private mutating func separate(atLevel level: Int) -> Bool {
        if open.count > level { close(downTo: level) }
        guard level > 0, open.count == level else {
            isMixedUp = true
            return false
        }
        if open[level - 1].place >= 0 { bytes.append(UInt8(ascii: ",")) }
        return true
    }

    mutating func member(_ name: String, _ value: String, atLevel level: Int) {
        beginMember(name, atLevel: level)
        append(value)
    }

    mutating func member(_ name: String, _ value: Bool, atLevel level: Int) {
        beginMember(name, atLevel: level)
        append(value)
    }

    mutating func member(_ name: String, _ value: Int64, atLevel level: Int) {
        beginMember(name, atLevel: level)
        append(value)
    }

    mutating func appendNull() { bytes.append(contentsOf: "null".utf8) }

    mutating func append(_ value: Bool) { bytes.append(value) }

    mutating func append(_ value: some FixedWidthInteger) { bytes.append(decimal: value) }

    /// A finite number.
    mutating func append(_ value: Double) { bytes.append(contentsOf: value.description.utf8) }

    mutating func append(_ string: String) { bytes.append(quoted: string) }
}

extension JSONText {
    /// An open object or array.
    private struct Level {
        let closing: UInt8
        /// Of an object the byte at which its last member's name begins, of an array its last element; -1 while empty.
        var place = -1
    }

    /// The way to a value that is being written at `level`. Read out of the text: hardly anyone ever asks.
    func path(toLevel level: Int) -> [any CodingKey] {
        open.prefix(level).map { level in
            level.closing == UInt8(ascii: "]") ? PathKey(index: level.place) : PathKey(name: name(at: level.place))
        }
    }

    private func name(at place: Int) -> String {
        // A name stands there, unless a type writes by turns, or asks for an object and an array in one place.
        guard place >= 0 else { return "" }
        // What this type has written itself reads back: the only error is that nothing of it stands there.
        var reader = JSONReader(bytes, from: place)
        guard reader.next == UInt8(ascii: "\""), let token = try? reader.string() else { return "" }
        return token.content(in: bytes)
    }
}
