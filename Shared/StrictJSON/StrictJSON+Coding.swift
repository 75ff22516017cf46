extension StrictJSON {
    /// The value that `text` writes, checked as `validate` does; members that `type` does not know are passed over.
    ///
    /// - Throws: `StrictJSONError` for what is no strict JSON, `DecodingError` for what does not fit the type.
    package static func decode<Value: Decodable>(
        _ type: Value.Type, from text: [UInt8], limits: Limits
    ) throws -> Value {
        try Value(from: ValueDecoder(try JSONReader.read(text, limits: limits, readsNumbers: true), at: 0))
    }

    /// The JSON text of `value`: no white space, members in the order in which the value encodes them.
    ///
    /// - Throws: what the value's own encoding throws, and `EncodingError` for numbers that JSON cannot write.
    package static func encode(_ value: some Encodable) throws -> [UInt8] {
        let shared = SharedText()
        try shared.append(value, atLevel: 0)
        guard !shared.text.isMixedUp else {
            throw EncodingError.invalidValue(
                value, .init(codingPath: [], debugDescription: "its containers were written by turns"))
        }
        return shared.text.bytes
    }
}
