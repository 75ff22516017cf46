/// The members of one object, as `Decodable` types ask for them.
struct ObjectDecoding<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let document: JSONDocument
    private let object: Int

    init(_ document: JSONDocument, at object: Int) {
        self.document = document
        self.object = object
    }

    var codingPath: [any CodingKey] { document.path(to: object) }
    var allKeys: [Key] { document.names(of: object).compactMap { Key(stringValue: $0) } }

    func contains(_ key: Key) -> Bool { member(key) != nil }

    func decodeNil(forKey key: Key) throws -> Bool { try decoder(key).decodeNil() }

    // The kinds that nearly every member has are read where they stand; all others decode themselves.

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
        if let value = member(key), let bool = document.bool(at: value) { return bool }
        return try decoder(key).decode(type)
    }

    func decode(_ type: String.Type, forKey key: Key) throws -> String {
        if let value = member(key), let string = document.string(at: value) { return string }
        return try decoder(key).decode(type)
    }

    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 {
        if let value = member(key), let integer = document.integer(at: value) { return integer }
        return try decoder(key).decode(type)
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try Value(from: decoder(key))
    }

    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
        guard let value = present(key) else { return nil }
        return try document.bool(at: value) ?? ValueDecoder(document, at: value).decode(type)
    }

    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
        guard let value = present(key) else { return nil }
        return try document.string(at: value) ?? ValueDecoder(document, at: value).decode(type)
    }

    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
        guard let value = present(key) else { return nil }
        return try document.integer(at: value) ?? ValueDecoder(document, at: value).decode(type)
    }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        guard let value = present(key) else { return nil }
        return try Value(from: ValueDecoder(document, at: value))
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try decoder(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder(key).unkeyedContainer()
    }

    /// Where a class keeps its superclass's members.
    func superDecoder() throws -> any Decoder {
        ValueDecoder(document, at: document.member("super", of: object) ?? document.absent)
    }

    func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }

    private func member(_ key: Key) -> Int? { document.member(key.stringValue, of: object) }

    private func decoder(_ key: Key) throws -> ValueDecoder {
        guard let value = member(key) else {
            throw DecodingError.keyNotFound(
                key, DecodingError.Context(codingPath: codingPath, debugDescription: "the member is missing"))
        }
        return ValueDecoder(document, at: value)
    }

    /// The member's value; nil when it is null or not there.
    private func present(_ key: Key) -> Int? {
        guard let value = member(key), !document.isNull(value) else { return nil }
        return value
    }
}
