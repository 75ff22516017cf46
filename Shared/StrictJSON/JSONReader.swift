/// Walks one JSON text by recursive descent, at most `depthMax` deep.
struct JSONReader {
    let text: [UInt8]
    var index = 0
    private let depthMax: Int
    /// False to check alone: every value is `.null` then, and nothing is allocated for it.
    private let buildsValues: Bool

    private init(_ text: [UInt8], depthMax: Int, buildsValues: Bool) {
        self.text = text
        self.depthMax = depthMax
        self.buildsValues = buildsValues
    }

    /// The one value that `text` is.
    static func read(
        _ text: [UInt8], limits: StrictJSON.Limits, buildsValues: Bool
    ) throws(StrictJSONError) -> JSONValue {
        var reader = JSONReader(text, depthMax: limits.depthMax, buildsValues: buildsValues)
        guard text.count <= limits.bytesMax else { throw reader.violation(.tooLarge) }
        guard !text.starts(with: [0xEF, 0xBB, 0xBF]) else { throw reader.violation(.byteOrderMark) }
        let value = try reader.value(depth: 0)
        reader.skipWhitespace()
        guard reader.index == text.count else { throw reader.violation(.trailingBytes) }
        return value
    }

    private mutating func value(depth: Int) throws(StrictJSONError) -> JSONValue {
        skipWhitespace()
        guard let byte = next else { throw violation(.syntax) }
        switch byte {
        case UInt8(ascii: "{"): return try object(depth: depth + 1)
        case UInt8(ascii: "["): return try array(depth: depth + 1)
        case UInt8(ascii: "\""):
            let token = try string()
            return buildsValues ? .string(content(of: token)) : .null
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            let token = try number()
            return buildsValues ? try value(of: token) : .null
        case UInt8(ascii: "t"): return try literal("true", .bool(true))
        case UInt8(ascii: "f"): return try literal("false", .bool(false))
        case UInt8(ascii: "n"): return try literal("null", .null)
        default: throw violation(.syntax)
        }
    }

    private mutating func object(depth: Int) throws(StrictJSONError) -> JSONValue {
        guard depth <= depthMax else { throw violation(.tooDeep) }
        index += 1
        var object = JSONObject()
        guard !skip(UInt8(ascii: "}")) else { return .object(object) }
        var names = NameSet()
        repeat {
            skipWhitespace()
            guard next == UInt8(ascii: "\"") else { throw violation(.syntax) }
            let name = try string()
            guard names.insert(name, in: self) else { throw violation(.duplicateName, at: name.range.lowerBound) }
            guard skip(UInt8(ascii: ":")) else { throw violation(.syntax) }
            let value = try value(depth: depth)
            if buildsValues { object.members.append(.init(name: content(of: name), value: value)) }
        } while skip(UInt8(ascii: ","))
        guard skip(UInt8(ascii: "}")) else { throw violation(.syntax) }
        return .object(object)
    }

    private mutating func array(depth: Int) throws(StrictJSONError) -> JSONValue {
        guard depth <= depthMax else { throw violation(.tooDeep) }
        index += 1
        var elements: [JSONValue] = []
        guard !skip(UInt8(ascii: "]")) else { return .array(elements) }
        repeat {
            let value = try value(depth: depth)
            if buildsValues { elements.append(value) }
        } while skip(UInt8(ascii: ","))
        guard skip(UInt8(ascii: "]")) else { throw violation(.syntax) }
        return .array(elements)
    }

    private mutating func literal(_ word: StaticString, _ value: JSONValue) throws(StrictJSONError) -> JSONValue {
        let end = index + word.utf8CodeUnitCount
        guard end <= text.count, text[index..<end].elementsEqual(word.description.utf8) else {
            throw violation(.syntax)
        }
        index = end
        return value
    }

    /// The byte at the index; nil at the end of the text.
    var next: UInt8? { index < text.count ? text[index] : nil }

    /// Steps over white space and then over `byte`; false when another byte is there.
    private mutating func skip(_ byte: UInt8) -> Bool {
        skipWhitespace()
        guard next == byte else { return false }
        index += 1
        return true
    }

    private mutating func skipWhitespace() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { index += 1 }
    }

    /// A violation at the index, or at `offset`.
    func violation(_ code: StrictJSONError.Code, at offset: Int? = nil) -> StrictJSONError {
        StrictJSONError(code: code, offset: offset ?? index)
    }
}
