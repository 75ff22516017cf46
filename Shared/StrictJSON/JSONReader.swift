/// Walks one JSON text by recursive descent, at most `depthMax` deep.
struct JSONReader {
    /// Room for the values of most of our texts.
    private static let usualNodes = 32

    let text: [UInt8]
    var index = 0
    /// The values read so far.
    private(set) var nodes: [JSONNode] = []
    private let depthMax: Int
    /// False to check alone: numbers beyond every double pass then.
    private let readsNumbers: Bool

    private init(_ text: [UInt8], depthMax: Int, readsNumbers: Bool) {
        self.text = text
        self.depthMax = depthMax
        self.readsNumbers = readsNumbers
        nodes.reserveCapacity(Self.usualNodes)
    }

    /// Reads from `index` on what is known to be there.
    init(_ text: [UInt8], from index: Int) {
        self.text = text
        self.index = index
        depthMax = 0
        readsNumbers = false
    }

    /// The one value that `text` is.
    static func read(
        _ text: [UInt8], limits: StrictJSON.Limits, readsNumbers: Bool
    ) throws(StrictJSONError) -> JSONDocument {
        var reader = JSONReader(text, depthMax: limits.depthMax, readsNumbers: readsNumbers)
        guard text.count <= limits.bytesMax else { throw reader.violation(.tooLarge) }
        guard !reader.skip(word: "\u{FEFF}") else { throw StrictJSONError(code: .byteOrderMark, offset: 0) }
        try reader.value(depth: 0)
        reader.skipWhitespace()
        guard reader.index == text.count else { throw reader.violation(.trailingBytes) }
        reader.nodes.append(.null)
        return JSONDocument(text, nodes: reader.nodes)
    }

    private mutating func value(depth: Int) throws(StrictJSONError) {
        skipWhitespace()
        guard let byte = next else { throw violation(.syntax) }
        switch byte {
        case UInt8(ascii: "{"): try object(depth: depth + 1)
        case UInt8(ascii: "["): try array(depth: depth + 1)
        case UInt8(ascii: "\""): nodes.append(.string(try string()))
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            let token = try number()
            nodes.append(readsNumbers ? try value(of: token) : .null)
        case UInt8(ascii: "t"): try literal("true", .bool(true))
        case UInt8(ascii: "f"): try literal("false", .bool(false))
        case UInt8(ascii: "n"): try literal("null", .null)
        default: throw violation(.syntax)
        }
    }

    private mutating func object(depth: Int) throws(StrictJSONError) {
        guard depth <= depthMax else { throw violation(.tooDeep) }
        index += 1
        let object = nodes.count
        nodes.append(.object(end: object + 1))
        guard !skip(UInt8(ascii: "}")) else { return }
        var names = NameSet(of: object)
        repeat {
            skipWhitespace()
            guard next == UInt8(ascii: "\"") else { throw violation(.syntax) }
            let name = try string()
            guard names.insert(name, in: self) else { throw violation(.duplicateName, at: name.range.lowerBound) }
            nodes.append(.string(name))
            guard skip(UInt8(ascii: ":")) else { throw violation(.syntax) }
            try value(depth: depth)
        } while skip(UInt8(ascii: ","))
        guard skip(UInt8(ascii: "}")) else { throw violation(.syntax) }
        nodes[object] = .object(end: nodes.count)
    }

    private mutating func array(depth: Int) throws(StrictJSONError) {
        guard depth <= depthMax else { throw violation(.tooDeep) }
        index += 1
        let array = nodes.count
        nodes.append(.array(count: 0, end: array + 1))
        guard !skip(UInt8(ascii: "]")) else { return }
        var count = 0
        repeat {
            try value(depth: depth)
            count += 1
        } while skip(UInt8(ascii: ","))
        guard skip(UInt8(ascii: "]")) else { throw violation(.syntax) }
        nodes[array] = .array(count: count, end: nodes.count)
    }

    private mutating func literal(_ word: String, _ node: JSONNode) throws(StrictJSONError) {
        guard skip(word: word) else { throw violation(.syntax) }
        nodes.append(node)
    }

    /// The byte at the index; nil at the end of the text.
    var next: UInt8? { index < text.count ? text[index] : nil }

    /// Steps over white space and then over `byte`; false when another byte is there.
    private mutating func skip(_ byte: UInt8) -> Bool {
        if next != byte {
            skipWhitespace()
            guard next == byte else { return false }
        }
        index += 1
        return true
    }

    /// Steps over `word`; false when something else is there.
    private mutating func skip(word: String) -> Bool {
        let end = index + word.utf8.count
        guard end <= text.count, text.span.extracting(index..<end).isSame(as: word.utf8Span.span) else { return false }
        index = end
        return true
    }

    @inline(__always)
    private mutating func skipWhitespace() {
        // Most texts have none.
        if let byte = next, byte > 0x20 { return }
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { index += 1 }
    }

    /// A violation at the index, or at `offset`.
    func violation(_ code: StrictJSONError.Code, at offset: Int? = nil) -> StrictJSONError {
        StrictJSONError(code: code, offset: offset ?? index)
    }
}
