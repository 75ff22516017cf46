/// JSON as RFC 8259 has it, and nothing more lenient.
///
/// Foundation's decoder accepts duplicate names, trailing commas, other encodings and a byte order mark (security guide
/// L11); whatever comes from outside passes through here first. Beyond the grammar it refuses duplicate names
/// (RFC 8259 §4) and unpaired surrogates (§8.2, RFC 7493 §2.1), on which parsers disagree.
package enum StrictJSON {
    /// Bounds on one JSON text.
    package struct Limits: Sendable {
        /// Recursion ends here whatever a caller asks for, so that no text exhausts a thread's stack.
        package static let depthCeiling = 128

        /// Of a text that one of our own processes wrote, and whose way to us bounds its size further.
        package static let own = Limits(bytesMax: 1 << 20, depthMax: 16)

        package let bytesMax: Int
        /// Arrays and objects within one another; a lone scalar has depth 0.
        package let depthMax: Int

        package init(bytesMax: Int, depthMax: Int) {
            self.bytesMax = bytesMax
            self.depthMax = min(depthMax, Self.depthCeiling)
        }
    }

    /// Returns if `text` is one strict JSON value within `limits`.
    ///
    /// - Throws: the first violation with its offset.
    package static func validate(_ text: [UInt8], limits: Limits) throws(StrictJSONError) {
        _ = try JSONReader.read(text, limits: limits, readsNumbers: false)
    }

    /// The value of `text`, checked as `validate` does.
    ///
    /// - Throws: the first violation; also a number that no finite double comes near.
    package static func parse(_ text: [UInt8], limits: Limits) throws(StrictJSONError) -> JSONValue {
        try JSONReader.read(text, limits: limits, readsNumbers: true)
    }

    /// The value that `text` writes, checked as `parse` does; members that `type` does not know are passed over.
    ///
    /// - Throws: `StrictJSONError` for what is no strict JSON, `DecodingError` for what does not fit the type.
    package static func decode<Value: Decodable>(
        _ type: Value.Type, from text: [UInt8], limits: Limits
    ) throws -> Value {
        try Value(from: ValueDecoder(try parse(text, limits: limits)))
    }

    /// The JSON text of `value`: no white space, members in the order in which the value encodes them.
    ///
    /// - Throws: what the value's own encoding throws, and `EncodingError` for numbers that JSON cannot write and for
    ///   containers written in turns. These are mistakes of ours, so their coding paths are empty.
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

/// Why a text is not strict JSON, and where; quotes nothing of the text but the name of a member.
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
