/// One array while its elements are written.
struct ArrayEncoding: UnkeyedEncodingContainer {
    private let text: JSONText
    private let level: Int
    let codingPath: [any CodingKey]
    private(set) var count = 0

    init(_ text: JSONText, level: Int, path: [any CodingKey]) {
        self.text = text
        self.level = level
        codingPath = path
    }

    mutating func encodeNil() {
        begin()
        text.appendNull()
    }

    mutating func encode(_ value: String) {
        begin()
        text.append(value)
    }

    mutating func encode<Value: Encodable>(_ value: Value) throws {
        let path = codingPath + [ElementKey(count)]
        begin()
        try text.append(value, atLevel: level, path: path)
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type
    ) -> KeyedEncodingContainer<NestedKey> {
        encoder().container(keyedBy: keyType)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { encoder().unkeyedContainer() }

    mutating func superEncoder() -> any Encoder { encoder() }

    private mutating func begin() {
        text.separate(atLevel: level)
        count += 1
    }

    private mutating func encoder() -> TextEncoder {
        let path = codingPath + [ElementKey(count)]
        begin()
        return TextEncoder(text, level: level, path: path)
    }
}
