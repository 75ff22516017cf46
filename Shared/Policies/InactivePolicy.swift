/// The removal of accounts whose users were away for long.
package struct InactivePolicy: Sendable, Equatable {
    /// The months without a sign-in and without a refresh after which the user is told.
    package var months: Int64 = 24
    /// The days between the notice and the removal.
    package var noticeDays: Int64 = 30
    /// Whether accounts are removed too whose users no notice reaches.
    package var withoutNotice = false
    /// The code that `latchkeyctl users inactive --dry-run` prints for these values; `nil` until the operator has set it.
    package var confirmed: String?

    package init() {}
}

extension InactivePolicy {
    static let keys: [Key<Self>] = [
        Key(
            "months", \.months, .integer(6...120),
            "The months (of 30 days) without a sign-in or a refresh after which the user is told."),
        Key("noticeDays", \.noticeDays, .integer(7...90), "The days between the notice and the removal."),
        Key(
            "withoutNotice", \.withoutNotice, .flag,
            "Whether accounts are removed too whose users have neither an email address nor a phone number that gets notices."
        ),
        Key(
            "confirmed", optional: \.confirmed, .text(.confirmation),
            "The code that `latchkeyctl users inactive --dry-run` prints for the values above. Until it is here, no user is told "
                + "and no account is removed.",
            example: "3f9a21c4"),
    ]
}

extension ValueRule where Value == String {
    fileprivate static var confirmation: TextRule {
        TextRule("the 8 hex digits that `latchkeyctl users inactive --dry-run` prints") { text in
            text.utf8.count == 8 && text.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
        }
    }
}
