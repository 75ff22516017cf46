import EdgeHTTP
import ServiceCalls

/// The fields of an `application/x-www-form-urlencoded` body. It is read strictly: a body with two possible readings is refused.
struct FormBody: Sendable, Equatable {
    enum Refusal: Error, Equatable { case malformed, duplicate, tooManyFields }

    static let fieldCountMax = 16
    private var values: [String: String] = [:]

    /// Reads `body`; an empty one has no fields.
    ///
    /// - Throws: `.malformed` for a field without a name or `=`, an invalid escape, characters that must be escaped, and text that
    ///   is not UTF-8 or contains control characters.
    init(_ body: [UInt8]) throws(Refusal) {
        guard !body.isEmpty else { return }
        let fields = body.split(
            separator: UInt8(ascii: "&"), maxSplits: Self.fieldCountMax, omittingEmptySubsequences: false)
        guard fields.count <= Self.fieldCountMax else { throw .tooManyFields }
        for field in fields {
            guard let equals = field.firstIndex(of: UInt8(ascii: "=")), equals > field.startIndex,
                let name = Self.decode(field[..<equals]), let value = Self.decode(field[(equals + 1)...])
            else { throw .malformed }
            guard values.updateValue(value, forKey: name) == nil else { throw .duplicate }
        }
    }

    /// Whether the `Content-Type` of a request declares a form, whatever its parameters.
    static func isForm(_ head: RequestHead) -> Bool {
        let name = head.text("content-type")?.prefix { $0 != ";" && $0 != " " && $0 != "\t" }
        return name?.lowercased() == FormText.mediaType
    }

    /// The names of the fields that were sent, including empty ones.
    var names: Set<String> { Set(values.keys) }

    /// The value of a field. A field that is sent empty counts as absent (RFC 6749 section 3.2).
    subscript(name: String) -> String? { values[name].flatMap { $0.isEmpty ? nil : $0 } }

    /// Decodes the escapes of a name or value, or returns `nil` if it has no single reading.
    static func decode(_ text: some Collection<UInt8>) -> String? {
        guard text.allSatisfy({ (0x21...0x7E).contains($0) }), let value = FormText.unescaped(text),
            !value.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F })
        else { return nil }
        return value
    }
}
