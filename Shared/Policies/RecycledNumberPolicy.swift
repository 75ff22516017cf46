/// Phone numbers that may belong to other people, because their users were away for long.
package struct RecycledNumberPolicy: Sendable, Equatable {
    /// The months without a sign-in or a refresh; `nil` if numbers are always their users'.
    package var idleMonths: Int64?

    package init() {}
}

extension RecycledNumberPolicy {
    static let keys: [Key<Self>] = [
        Key(
            "idleMonths", \.idleMonths, .orNone(.integer(4...120)),
            "The months (of 30 days) without a sign-in or a refresh after which a code for the number is no longer enough."
        )
    ]
}
