/// Gives a parsed value to `Decodable` types.
struct ValueDecoder: Decoder {
    let value: JSONValue
    let codingPath: [any CodingKey]

    init(_ value: JSONValue, path: [any CodingKey]) {
        self.value = value
        codingPath = path
    }

    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .object(let object) = value else { throw mismatch(JSONObject.self) }
        return KeyedDecodingContainer(ObjectDecoding(object, path: codingPath))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .array(let elements) = value else { throw mismatch([JSONValue].self) }
        return ArrayDecoding(elements, path: codingPath)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    /// The value is another one than `expected`; says of which kind, never which.
    private func mismatch(_ expected: Any.Type) -> DecodingError {
        let context = DecodingError.Context(
            codingPath: codingPath, debugDescription: "another kind of value stands here")
        return value == .null ? .valueNotFound(expected, context) : .typeMismatch(expected, context)
    }

    private func found<Scalar>(_ scalar: Scalar?) throws -> Scalar {
        guard let scalar else { throw mismatch(Scalar.self) }
        return scalar
    }
}

extension ValueDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { value == .null }

    func decode(_ type: Bool.Type) throws -> Bool { try found(value.boolValue) }

    func decode(_ type: String.Type) throws -> String { try found(value.stringValue) }

    func decode(_ type: Double.Type) throws -> Double { try found(value.doubleValue) }

    func decode(_ type: Float.Type) throws -> Float { Float(try decode(Double.self)) }

    func decode<Number: FixedWidthInteger & Decodable>(_ type: Number.Type) throws -> Number {
        try found(value.number(type))
    }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try Value(from: self) }
}

extension JSONValue {
    fileprivate var doubleValue: Double? {
        switch self {
        case .double(let double): double
        case .integer(let integer): Double(integer)
        default: nil
        }
    }

    /// The number as an integer that holds it exactly: 1.0 is 1.
    fileprivate func number<Number: FixedWidthInteger>(_ type: Number.Type) -> Number? {
        switch self {
        case .integer(let integer): Number(exactly: integer)
        case .double(let double): Number(exactly: double)
        default: nil
        }
    }
}
