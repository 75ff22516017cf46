/// Writes an `Encodable` value at one place of a text.
struct ValueEncoder: Encoder {
    private let text: JSONText
    private let place: Int

    init(_ text: JSONText, place: Int) {
        self.text = text
        self.place = place
    }

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        text.open(UInt8(ascii: "{"), at: place)
        return KeyedEncodingContainer(ObjectEncoding(text: text, object: place))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        text.open(UInt8(ascii: "["), at: place)
        return ArrayEncoding(text: text, array: place)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }
}

extension ValueEncoder: SingleValueEncodingContainer {
    func encodeNil() { text.write("null", at: place) }

    func encode(_ value: Bool) { text.write(value ? "true" : "false", at: place) }

    func encode(_ value: String) { text.write(quoted: value, at: place) }

    func encode(_ value: Double) throws {
        guard value.isFinite else {
            throw EncodingError.invalidValue(value, .init(codingPath: [], debugDescription: "not a JSON number"))
        }
        text.write(value.description, at: place)
    }

    func encode(_ value: Float) throws { try encode(Double(value)) }

    func encode<Number: FixedWidthInteger & Encodable>(_ value: Number) { text.write(value.description, at: place) }

    func encode<Value: Encodable>(_ value: Value) throws { try value.encode(to: self) }
}

/// One object while its members are written.
struct ObjectEncoding<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let text: JSONText
    /// The object's place in the text.
    let object: Int

    var codingPath: [any CodingKey] { [] }

    func encodeNil(forKey key: Key) { encoder(key).encodeNil() }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws { try value.encode(to: encoder(key)) }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        encoder(key).container(keyedBy: keyType)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { encoder(key).unkeyedContainer() }

    func superEncoder() -> any Encoder { encoder(PathKey.superclass) }

    func superEncoder(forKey key: Key) -> any Encoder { encoder(key) }

    private func encoder(_ key: some CodingKey) -> ValueEncoder {
        ValueEncoder(text, place: text.beginMember(key.stringValue, of: object))
    }
}

/// One array while its elements are written.
struct ArrayEncoding: UnkeyedEncodingContainer {
    let text: JSONText
    /// The array's place in the text.
    let array: Int
    private(set) var count = 0

    init(text: JSONText, array: Int) {
        self.text = text
        self.array = array
    }

    var codingPath: [any CodingKey] { [] }

    mutating func encodeNil() { encoder().encodeNil() }

    mutating func encode<Value: Encodable>(_ value: Value) throws { try value.encode(to: encoder()) }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type
    ) -> KeyedEncodingContainer<NestedKey> {
        encoder().container(keyedBy: keyType)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { encoder().unkeyedContainer() }

    mutating func superEncoder() -> any Encoder { encoder() }

    private mutating func encoder() -> ValueEncoder {
        count += 1
        return ValueEncoder(text, place: text.beginElement(of: array))
    }
}
