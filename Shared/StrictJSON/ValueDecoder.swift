/// Decodes one value of a text for `Decodable` types.
final class ValueDecoder: Decoder {
    let value: JSONValue
    /// The path to the container of the value, and the value's key there; `nil` for the outermost value.
    private let containerPath: [any CodingKey]
    private let key: (any CodingKey)?

    init(_ value: JSONValue, in containerPath: [any CodingKey] = [], at key: (any CodingKey)? = nil) {
        self.value = value
        self.containerPath = containerPath
        self.key = key
    }

    var codingPath: [any CodingKey] { key.map { containerPath + [$0] } ?? containerPath }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(ObjectDecoding(try found(value.objectValue), codingPath: codingPath))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        ArrayDecoding(try found(value.arrayValue), codingPath: codingPath)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    /// Returns the requested content, or throws if the value has another type. The error names the types, never the value.
    private func found<Content>(_ content: Content?) throws -> Content {
        guard let content else {
            let context = DecodingError.Context(
                codingPath: codingPath, debugDescription: "another kind of value stands here")
            throw decodeNil()
                ? DecodingError.valueNotFound(Content.self, context) : .typeMismatch(Content.self, context)
        }
        return content
    }
}

extension ValueDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { value == .null }

    func decode(_ type: Bool.Type) throws -> Bool { try found(value.boolValue) }

    func decode(_ type: String.Type) throws -> String { try found(value.stringValue) }

    func decode(_ type: Double.Type) throws -> Double {
        switch value {
        case .integer(let integer): Double(integer)
        case .double(let double): double
        default: try found(nil)
        }
    }

    func decode(_ type: Float.Type) throws -> Float { Float(try decode(Double.self)) }

    /// Decodes an integer if it represents the number exactly: 1.0 is 1.
    func decode<Number: FixedWidthInteger & Decodable>(_ type: Number.Type) throws -> Number {
        switch value {
        case .integer(let integer): try found(Number(exactly: integer))
        case .double(let double): try found(Number(exactly: double))
        default: try found(nil)
        }
    }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try Value(from: self) }
}
