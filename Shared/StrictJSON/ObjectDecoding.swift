/// The members of one object, as `Decodable` types ask for them.
struct ObjectDecoding<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let document: JSONDocument
    private let object: Int
    private let place: Int

    init(_ document: JSONDocument, at object: Int, place: Int) {
        self.document = document
        self.object = object
        self.place = place
    }

    var codingPath: [any CodingKey] { document.path(to: place) }
    var allKeys: [Key] { document.names(of: object).compactMap { Key(stringValue: $0) } }

    func contains(_ key: Key) -> Bool { member(key) != nil }

    func decodeNil(forKey key: Key) throws -> Bool { try decoder(key).decodeNil() }

    // The kinds that nearly every member has are read where they stand; all others decode themselves.

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try decoder(key).decode(type) }

    func decode(_ type: String.Type, forKey key: Key) throws -> String { try decoder(key).decode(type) }

    func decode<Number: FixedWidthInteger & Decodable>(_ type: Number.Type, forKey key: Key) throws -> Number {
        try decoder(key).decode(type)
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try Value(from: decoder(key))
    }

    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
        try present(key)?.decode(type)
    }

    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
        try present(key)?.decode(type)
    }

    func decodeIfPresent<Number: FixedWidthInteger & Decodable>(
        _ type: Number.Type, forKey key: Key
    ) throws -> Number? {
        try present(key)?.decode(type)
    }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        guard let decoder = present(key) else { return nil }
        return try Value(from: decoder)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try decoder(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder(key).unkeyedContainer()
    }

    /// Where a class keeps its superclass's members; errors in it lead to this object.
    func superDecoder() throws -> any Decoder {
        ValueDecoder(document, at: document.member("super", of: object) ?? document.absent, place: place)
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
    private func present(_ key: Key) -> ValueDecoder? {
        guard let value = member(key), !document.isNull(value) else { return nil }
        return ValueDecoder(document, at: value)
    }
}
