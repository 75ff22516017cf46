/// Reads one JSON text in one pass, by recursive descent at most `depthMax` deep.
struct JSONReader {
    let text: [UInt8]
    /// Bytes read so far.
    var index = 0
    let depthMax: Int
    /// `false` only validates: numbers beyond every double are accepted then, and all numbers are read as null.
    let readsNumbers: Bool

    /// Reads the single value of `text`.
    static func read(
        _ text: [UInt8], limits: StrictJSON.Limits, readsNumbers: Bool
    ) throws(StrictJSONError) -> JSONValue {
        var reader = JSONReader(text: text, depthMax: limits.depthMax, readsNumbers: readsNumbers)
        guard text.count <= limits.bytesMax else { throw reader.violation(.tooLarge) }
        guard !reader.skip("\u{FEFF}") else { throw StrictJSONError(code: .byteOrderMark, offset: 0) }
        let value = try reader.value(depth: 0)
        reader.skipWhitespace()
        guard reader.index == text.count else { throw reader.violation(.trailingBytes) }
        return value
    }

    /// Reads a value that is inside `depth` arrays and objects.
    private mutating func value(depth: Int) throws(StrictJSONError) -> JSONValue {
        skipWhitespace()
        guard let byte = next else { throw violation(.syntax) }
        switch byte {
        case UInt8(ascii: "{"): return .object(try object(depth: depth + 1))
        case UInt8(ascii: "["): return .array(try array(depth: depth + 1))
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
        default:
            if skip("true") { return .bool(true) }
            if skip("false") { return .bool(false) }
            if skip("null") { return .null }
            throw violation(.syntax)
        }
    }

    private mutating func object(depth: Int) throws(StrictJSONError) -> JSONObject {
        guard depth <= depthMax else { throw violation(.tooDeep) }
        index += 1
        var object = JSONObject()
        guard !skip(UInt8(ascii: "}")) else { return object }
        repeat {
            let name = try newName(in: object)
            guard skip(UInt8(ascii: ":")) else { throw violation(.syntax) }
            object.append(name, try value(of: name, depth: depth))
        } while skip(UInt8(ascii: ","))
        guard skip(UInt8(ascii: "}")) else { throw violation(.syntax) }
        return object
    }

    private mutating func value(of name: String, depth: Int) throws(StrictJSONError) -> JSONValue {
        do throws(StrictJSONError) { return try value(depth: depth) } catch {
            guard depth == 1 else { throw error }
            var named = error
            named.member = name
            throw named
        }
    }

    /// Reads the name of a member that `object` does not have yet; `"\u0061"` and `"a"` are one name.
    private mutating func newName(in object: JSONObject) throws(StrictJSONError) -> String {
        skipWhitespace()
        guard next == UInt8(ascii: "\"") else { throw violation(.syntax) }
        let start = index + 1
        let name = try string()
        guard !object.contains(name) else { throw violation(.duplicateName, at: start) }
        return name
    }

    private mutating func array(depth: Int) throws(StrictJSONError) -> [JSONValue] {
        guard depth <= depthMax else { throw violation(.tooDeep) }
        index += 1
        var array: [JSONValue] = []
        guard !skip(UInt8(ascii: "]")) else { return array }
        repeat { array.append(try value(depth: depth)) } while skip(UInt8(ascii: ","))
        guard skip(UInt8(ascii: "]")) else { throw violation(.syntax) }
        return array
    }

    /// The byte at the index; `nil` at the end of the text.
    var next: UInt8? { index < text.count ? text[index] : nil }

    /// Skips white space and then `byte`; returns `false` if another byte is there.
    private mutating func skip(_ byte: UInt8) -> Bool {
        skipWhitespace()
        guard next == byte else { return false }
        index += 1
        return true
    }

    /// Skips `word`; returns `false` if something else is there.
    private mutating func skip(_ word: String) -> Bool {
        guard text[index...].starts(with: word.utf8) else { return false }
        index += word.utf8.count
        return true
    }

    private mutating func skipWhitespace() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { index += 1 }
    }

    /// Returns a violation at the index, or at `offset`.
    func violation(_ code: StrictJSONError.Code, at offset: Int? = nil) -> StrictJSONError {
        StrictJSONError(code: code, offset: offset ?? index)
    }
}
