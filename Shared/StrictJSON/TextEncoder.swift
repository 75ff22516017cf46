/// Writes what an `Encodable` type says of itself into a text.
struct TextEncoder: Encoder {
    let text: JSONText
    /// Of the container in which the value stands; 0 for none.
    let level: Int
    let codingPath: [any CodingKey]

    init(_ text: JSONText, level: Int, path: [any CodingKey]) {
        self.text = text
        self.level = level
        codingPath = path
    }

    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        text.begin(UInt8(ascii: "{"), closing: UInt8(ascii: "}"), atLevel: level)
        return KeyedEncodingContainer(ObjectEncoding(text, level: level + 1, path: codingPath))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        text.begin(UInt8(ascii: "["), closing: UInt8(ascii: "]"), atLevel: level)
        return ArrayEncoding(text, level: level + 1, path: codingPath)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }
}

extension TextEncoder: SingleValueEncodingContainer {
    func encodeNil() { text.appendNull() }

    func encode(_ value: Bool) { text.append(value) }

    func encode(_ value: String) { text.append(value) }

    func encode(_ value: Double) throws { try text.append(value, path: codingPath) }

    func encode(_ value: Float) throws { try text.append(Double(value), path: codingPath) }

    func encode<Number: FixedWidthInteger & Encodable>(_ value: Number) { text.append(value) }

    func encode<Value: Encodable>(_ value: Value) throws { try text.append(value, atLevel: level, path: codingPath) }
}
