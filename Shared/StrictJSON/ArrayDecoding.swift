/// The elements of one array, as `Decodable` types ask for them.
struct ArrayDecoding: UnkeyedDecodingContainer {
    private let document: JSONDocument
    private let array: Int
    private let elementCount: Int
    private(set) var currentIndex = 0
    /// The node of the element at `currentIndex`.
    private var element: Int

    init(_ document: JSONDocument, at array: Int, count: Int) {
        self.document = document
        self.array = array
        elementCount = count
        element = array + 1
    }

    var codingPath: [any CodingKey] { document.path(to: array) }
    var count: Int? { elementCount }
    var isAtEnd: Bool { currentIndex >= elementCount }

    mutating func decodeNil() throws -> Bool {
        guard !isAtEnd, document.isNull(element) else { return false }
        step()
        return true
    }

    mutating func decode(_ type: String.Type) throws -> String { try next(type).decode(type) }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try Value(from: try next(type))
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try next(JSONObject.self).container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try next([JSONValue].self).unkeyedContainer()
    }

    mutating func superDecoder() throws -> any Decoder { try next((any Decoder).self) }

    /// Steps over the element even if it does not decode: what a caller catches does not keep it in place.
    private mutating func next(_ type: Any.Type) throws -> ValueDecoder {
        guard !isAtEnd else {
            let path = codingPath + [PathKey(index: currentIndex)]
            throw DecodingError.valueNotFound(type, .init(codingPath: path, debugDescription: "the array ends here"))
        }
        defer { step() }
        return ValueDecoder(document, at: element)
    }

    private mutating func step() {
        currentIndex += 1
        element = document.nodes.end(of: element)
    }
}
