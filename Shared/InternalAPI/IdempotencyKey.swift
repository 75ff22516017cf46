/// A client's `Idempotency-Key`: 1–128 visible ASCII characters.
package struct IdempotencyKey: Sendable, Equatable {
    package static let lengthMax = 128

    package let text: String
    package var bytes: [UInt8] { Array(text.utf8) }

    /// Creates a key, or returns `nil` if the text is not of that form.
    package init?(_ text: String) {
        let isVisible = text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        guard isVisible, (1...Self.lengthMax).contains(text.utf8.count) else { return nil }
        self.text = text
    }
}
