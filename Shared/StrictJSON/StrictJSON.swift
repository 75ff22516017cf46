/// JSON exactly as in RFC 8259.
///
/// Foundation's decoder accepts duplicate names, trailing commas, other encodings and a byte order mark (security guide
/// L11); all outside input is checked here first. Beyond the grammar this refuses duplicate names (RFC 8259 §4) and
/// unpaired surrogates (§8.2, RFC 7493 §2.1), on which parsers disagree.
package enum StrictJSON {
    /// Bounds on one JSON text.
    package struct Limits: Sendable {
        /// The limit of recursion for any caller, so that no text exhausts a thread's stack.
        package static let depthCeiling = 128

        /// The limits for a text that one of our own processes wrote; its transport bounds the size further.
        package static let own = Limits(bytesMax: 1 << 20, depthMax: 16)

        package let bytesMax: Int
        /// The nesting depth of arrays and objects; a lone scalar has depth 0.
        package let depthMax: Int

        package init(bytesMax: Int, depthMax: Int) {
            self.bytesMax = bytesMax
            self.depthMax = min(depthMax, Self.depthCeiling)
        }
    }

    /// Checks that `text` is one strict JSON value within `limits`.
    ///
    /// - Throws: The first violation with its offset.
    package static func validate(_ text: [UInt8], limits: Limits) throws(StrictJSONError) {
        _ = try JSONReader.read(text, limits: limits, readsNumbers: false)
    }

    /// Returns the value of `text`, checked like in `validate`.
    ///
    /// - Throws: The first violation; also a number beyond all finite doubles.
    package static func parse(_ text: [UInt8], limits: Limits) throws(StrictJSONError) -> JSONValue {
        try JSONReader.read(text, limits: limits, readsNumbers: true)
    }

    /// Decodes `text`, checked like in `parse`; members that `type` does not know are skipped.
    ///
    /// - Throws: `StrictJSONError` if the text is not strict JSON, `DecodingError` if it does not match the type.
    package static func decode<Value: Decodable>(
        _ type: Value.Type, from text: [UInt8], limits: Limits
    ) throws -> Value {
        try decode(type, from: try parse(text, limits: limits))
    }

    /// Decodes a value that is already parsed; members that `type` does not know are skipped.
    ///
    /// - Throws: `DecodingError` if the value does not match the type.
    package static func decode<Value: Decodable>(_ type: Value.Type, from value: JSONValue) throws -> Value {
        try Value(from: ValueDecoder(value))
    }

    /// Returns the JSON text of `value`: no white space, members in the order in which the value encodes them.
    ///
    /// - Throws: The errors of the value's own encoding, and `EncodingError` for numbers that JSON cannot represent and for
    ///   interleaved containers. These are programming errors, so their coding paths are empty.
    package static func encode(_ value: some Encodable) throws -> [UInt8] {
        let text = JSONText()
        try value.encode(to: ValueEncoder(text, place: 0))
        guard let bytes = text.finished() else {
            throw EncodingError.invalidValue(
                value, .init(codingPath: [], debugDescription: "its containers were written in turns"))
        }
        return bytes
    }
}

/// Why a text is not strict JSON, and where; contains nothing of the text except the name of a member.
package struct StrictJSONError: Error, Equatable, CustomStringConvertible {
    package enum Code: String, Sendable {
        case tooLarge, tooDeep, syntax, trailingBytes, byteOrderMark
        case invalidUTF8, controlCharacter, invalidEscape, unpairedSurrogate
        case invalidNumber, numberOutOfRange, duplicateName
    }

    package let code: Code
    /// Bytes before the violation.
    package let offset: Int
    /// The member of the outermost object whose value has the violation; `nil` elsewhere.
    package var member: String?

    package var description: String { "\(code.rawValue) at byte \(offset)" }
}
