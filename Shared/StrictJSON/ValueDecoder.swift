/// Gives a value of a document to `Decodable` types.
struct ValueDecoder: Decoder {
    private let document: JSONDocument
    private let index: Int

    init(_ document: JSONDocument, at index: Int) {
        self.document = document
        self.index = index
    }

    var codingPath: [any CodingKey] { document.path(to: index) }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .object = document.nodes[index] else { throw mismatch(JSONObject.self) }
        return KeyedDecodingContainer(ObjectDecoding(document, at: index))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .array(let count, _) = document.nodes[index] else { throw mismatch([JSONValue].self) }
        return ArrayDecoding(document, at: index, count: count)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    /// The value is another one than `expected`; says of which kind, never which.
    private func mismatch(_ expected: Any.Type) -> DecodingError {
        let context = DecodingError.Context(
            codingPath: codingPath, debugDescription: "another kind of value stands here")
        return decodeNil() ? .valueNotFound(expected, context) : .typeMismatch(expected, context)
    }

    private func found<Scalar>(_ scalar: Scalar?) throws -> Scalar {
        guard let scalar else { throw mismatch(Scalar.self) }
        return scalar
    }
}

extension ValueDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { document.isNull(index) }

    func decode(_ type: Bool.Type) throws -> Bool { try found(document.bool(at: index)) }

    func decode(_ type: String.Type) throws -> String { try found(document.string(at: index)) }

    func decode(_ type: Double.Type) throws -> Double { try found(document.double(at: index)) }

    func decode(_ type: Float.Type) throws -> Float { Float(try decode(Double.self)) }

    func decode<Number: FixedWidthInteger & Decodable>(_ type: Number.Type) throws -> Number {
        try found(document.number(at: index, as: type))
    }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try Value(from: self) }
}
