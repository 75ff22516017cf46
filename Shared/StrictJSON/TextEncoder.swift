/// Writes what an `Encodable` type says of itself into a text.
struct TextEncoder: Encoder {
    let shared: SharedText
    /// Of the container in which the value stands; 0 for none.
    let level: Int

    init(_ shared: SharedText, level: Int) {
        self.shared = shared
        self.level = level
    }

    var codingPath: [any CodingKey] { shared.text.path(toLevel: level) }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        shared.text.begin(UInt8(ascii: "{"), closing: UInt8(ascii: "}"), atLevel: level)
        return KeyedEncodingContainer(ObjectEncoding(shared, level: level + 1))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        shared.text.begin(UInt8(ascii: "["), closing: UInt8(ascii: "]"), atLevel: level)
        return ArrayEncoding(shared, level: level + 1)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }
}

extension TextEncoder: SingleValueEncodingContainer {
    func encodeNil() { shared.text.appendNull() }

    func encode(_ value: Bool) { shared.text.append(value) }

    func encode(_ value: String) { shared.text.append(value) }

    func encode(_ value: Double) throws { try shared.append(value, atLevel: level) }

    func encode(_ value: Float) throws { try shared.append(Double(value), atLevel: level) }

    func encode<Number: FixedWidthInteger & Encodable>(_ value: Number) { shared.text.append(value) }

    func encode<Value: Encodable>(_ value: Value) throws { try shared.append(value, atLevel: level) }
}
