/// One array while its elements are written.
struct ArrayEncoding: UnkeyedEncodingContainer {
    private let shared: SharedText
    private let level: Int
    private(set) var count = 0

    init(_ shared: SharedText, level: Int) {
        self.shared = shared
        self.level = level
    }

    var codingPath: [any CodingKey] { shared.text.path(toLevel: level - 1) }

    mutating func encodeNil() {
        begin()
        shared.text.appendNull()
    }

    mutating func encode(_ value: String) {
        begin()
        shared.text.append(value)
    }

    mutating func encode<Value: Encodable>(_ value: Value) throws {
        let place = encoder()
        try place.encode(value)
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type
    ) -> KeyedEncodingContainer<NestedKey> {
        encoder().container(keyedBy: keyType)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { encoder().unkeyedContainer() }

    mutating func superEncoder() -> any Encoder { encoder() }

    private mutating func begin() {
        shared.text.beginElement(atLevel: level)
        count += 1
    }

    private mutating func encoder() -> TextEncoder {
        begin()
        return TextEncoder(shared, level: level)
    }
}
