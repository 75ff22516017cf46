/// A client's `Idempotency-Key`: 1–128 visible ASCII characters.
struct IdempotencyKey: Sendable, Equatable {
    static let lengthMax = 128
    /// How long a lost answer can be asked for again (security guide section 1).
    static let repeatSeconds: Int64 = 60

    let text: String
    var bytes: [UInt8] { Array(text.utf8) }

    /// Nil for text of another form.
    init?(_ text: String) {
        let isVisible = text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        guard isVisible, (1...Self.lengthMax).contains(text.utf8.count) else { return nil }
        self.text = text
    }

    /// The key of a request that may have none.
    /// - Throws: `InvalidRequest` when there is one of another form.
    static func optional(_ text: String?) throws(InvalidRequest) -> IdempotencyKey? {
        guard let text else { return nil }
        guard let key = IdempotencyKey(text) else {
            throw InvalidRequest("Idempotency-Key is not 1-128 visible characters")
        }
        return key
    }
}

/// A request that breaks the contract: 400, and nothing was changed.
struct InvalidRequest: Error, Equatable {
    /// What is wrong, without the value.
    let message: String

    init(_ message: String) { self.message = message }
}
