/// One object while its members are written.
struct ObjectEncoding<Key: CodingKey>: KeyedEncodingContainerProtocol {
    private let text: JSONText
    private let level: Int
    let codingPath: [any CodingKey]

    init(_ text: JSONText, level: Int, path: [any CodingKey]) {
        self.text = text
        self.level = level
        codingPath = path
    }

    func encodeNil(forKey key: Key) {
        begin(key)
        text.appendNull()
    }

    // The kinds that nearly every member has are written at once; all others encode themselves.

    func encode(_ value: Bool, forKey key: Key) {
        begin(key)
        text.append(value)
    }

    func encode(_ value: String, forKey key: Key) {
        begin(key)
        text.append(value)
    }

    func encode(_ value: Int64, forKey key: Key) {
        begin(key)
        text.append(value)
    }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        begin(key)
        try text.append(value, atLevel: level, path: codingPath + [key])
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        encoder(key).container(keyedBy: keyType)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { encoder(key).unkeyedContainer() }

    func superEncoder() -> any Encoder { encoder(SuperKey()) }

    func superEncoder(forKey key: Key) -> any Encoder { encoder(key) }

    private func begin(_ key: any CodingKey) {
        text.separate(atLevel: level)
        text.append(name: key.stringValue)
    }

    private func encoder(_ key: any CodingKey) -> TextEncoder {
        begin(key)
        return TextEncoder(text, level: level, path: codingPath + [key])
    }
}

/// The member that classes keep their superclass's members in.
private struct SuperKey: CodingKey {
    init() {}
    init?(stringValue: String) { nil }
    init?(intValue: Int) { nil }

    var stringValue: String { "super" }
    var intValue: Int? { nil }
}
