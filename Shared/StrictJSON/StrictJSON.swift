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
        try JSONReader.read(text, limits: limits, readsNumbers: true).value(at: 0)
    }
}
