internal import InternalAPI

extension IdempotencyKey {
    /// How long a lost answer can be asked for again (security guide section 1).
    static let repeatSeconds: Int64 = 60

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
