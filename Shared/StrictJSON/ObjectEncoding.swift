/// One object while its members are written.
struct ObjectEncoding<Key: CodingKey>: KeyedEncodingContainerProtocol {
    private let shared: SharedText
    private let level: Int

    init(_ shared: SharedText, level: Int) {
        self.shared = shared
        self.level = level
    }

    var codingPath: [any CodingKey] { shared.text.path(toLevel: level - 1) }

    func encodeNil(forKey key: Key) {
        begin(key)
        shared.text.appendNull()
    }

    // The kinds that nearly every member has are written at once; all others encode themselves.

    func encode(_ value: Bool, forKey key: Key) { shared.text.member(key.stringValue, value, atLevel: level) }

    func encode(_ value: String, forKey key: Key) { shared.text.member(key.stringValue, value, atLevel: level) }

    func encode(_ value: Int64, forKey key: Key) { shared.text.member(key.stringValue, value, atLevel: level) }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        begin(key)
        try shared.append(value, atLevel: level)
    }

    func encodeIfPresent(_ value: String?, forKey key: Key) {
        if let value { encode(value, forKey: key) }
    }

    func encodeIfPresent(_ value: Int64?, forKey key: Key) {
        if let value { encode(value, forKey: key) }
    }

    func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws {
        if let value { try encode(value, forKey: key) }
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        encoder(key).container(keyedBy: keyType)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { encoder(key).unkeyedContainer() }

    func superEncoder() -> any Encoder { encoder(SuperKey()) }

    func superEncoder(forKey key: Key) -> any Encoder { encoder(key) }

    private func begin(_ key: some CodingKey) {
        shared.text.beginMember(key.stringValue, atLevel: level)
    }

    private func encoder(_ key: some CodingKey) -> TextEncoder {
        begin(key)
        return TextEncoder(shared, level: level)
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
