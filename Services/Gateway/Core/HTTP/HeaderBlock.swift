/// The fields of a message head: one buffer, and where names and values lie in it.
struct HeaderBlock: Sendable {
    struct Field: Sendable {
        let name: Range<Int>
        let value: Range<Int>
    }

    let bytes: [UInt8]
    private(set) var fields: [Field] = []

    /// Bounds of a head.
    struct Limits: Sendable {
        var bytesMax = 32 * 1024
        var fieldsMax = 100
    }

    /// Reads the field lines from `start` to the end of `bytes`, each ended by CR LF, without the empty last line.
    init(_ bytes: [UInt8], from start: Int, fieldsMax: Int) throws(HTTPViolation) {
        self.bytes = bytes
        fields.reserveCapacity(16)
        var position = start
        while position < bytes.count {
            guard fields.count < fieldsMax else { throw .tooManyHeaders }
            position = try appendField(at: position)
        }
    }

    /// Reads the line at `start` and returns where the next one begins.
    private mutating func appendField(at start: Int) throws(HTTPViolation) -> Int {
        var position = start
        if bytes[position] == UInt8(ascii: " ") || bytes[position] == 0x09 { throw .foldedHeader }
        while position < bytes.count, ByteClass.isToken(bytes[position]) { position += 1 }
        guard position > start, position < bytes.count, bytes[position] == UInt8(ascii: ":") else {
            throw .malformedHeader
        }
        let name = start..<position
        position += 1
        while position < bytes.count, bytes[position] == UInt8(ascii: " ") || bytes[position] == 0x09 { position += 1 }
        let valueStart = position
        while position < bytes.count, ByteClass.isFieldValue(bytes[position]) { position += 1 }
        guard position + 1 < bytes.count, bytes[position] == 0x0D, bytes[position + 1] == 0x0A else {
            throw .malformedHeader
        }
        var valueEnd = position
        while valueEnd > valueStart, bytes[valueEnd - 1] == UInt8(ascii: " ") || bytes[valueEnd - 1] == 0x09 {
            valueEnd -= 1
        }
        fields.append(Field(name: name, value: valueStart..<valueEnd))
        return position + 2
    }

    /// Whether the field's name is `name`, given in lower case.
    func isNamed(_ field: Field, _ name: StaticString) -> Bool {
        guard field.name.count == name.utf8CodeUnitCount else { return false }
        return name.withUTF8Buffer { lowered in
            for offset in 0..<lowered.count {
                let byte = ByteClass.lowercased(bytes[field.name.lowerBound + offset])
                guard unsafe byte == lowered[offset] else { return false }
            }
            return true
        }
    }

    /// All values of the fields called `name` (in lower case), in order.
    func values(_ name: StaticString) -> [ArraySlice<UInt8>] {
        fields.filter { isNamed($0, name) }.map { bytes[$0.value] }
    }

    /// The field's name in lower case.
    func loweredName(_ field: Field) -> [UInt8] { bytes[field.name].map(ByteClass.lowercased) }

    /// The members of all comma-separated lists called `name`, trimmed and in lower case.
    func listMembers(_ name: StaticString) -> [[UInt8]] {
        values(name).flatMap { value in
            value.split(separator: UInt8(ascii: ",")).map { member in
                let start = member.drop { $0 == UInt8(ascii: " ") || $0 == 0x09 }
                let trimmed = start.reversed().drop { $0 == UInt8(ascii: " ") || $0 == 0x09 }.reversed()
                return trimmed.map(ByteClass.lowercased)
            }
        }
    }
}
