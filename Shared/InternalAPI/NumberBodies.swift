/// Requests that user-service rename the phone numbers of one page; answered with `RenumberPage`.
package struct RenumberRequest: Codable, Sendable, Equatable {
    package static let changesMax = 1_000

    /// The changes of the national plan; `nil` renames to the current canonical form.
    package var changes: [NumberChange]?
    /// Whether nothing is renamed: the answer shows what would be.
    package var isDryRun: Bool
    /// The `next` of the page before; `nil` for the first page.
    package var cursor: String?

    package init(changes: [NumberChange]?, isDryRun: Bool, cursor: String? = nil) {
        self.changes = changes
        self.isDryRun = isDryRun
        self.cursor = cursor
    }
}

/// A renumbering: phone numbers that begin with one text begin with another one from now on; both texts are a plus and
/// digits.
package struct NumberChange: Codable, Sendable, Equatable {
    package var from: String
    package var to: String

    package init(from: String, to: String) {
        self.from = from
        self.to = to
    }
}

/// The results for the phone numbers of one page that a change concerns.
package struct RenumberPage: Codable, Sendable, Equatable {
    package static let numbersMax = 500

    package var numbers: [RenumberedNumber]
    /// The cursor of the next page; `nil` after the last one.
    package var next: String?

    package init(numbers: [RenumberedNumber], next: String?) {
        self.numbers = numbers
        self.next = next
    }
}

/// A phone number that a change concerns.
package struct RenumberedNumber: Codable, Sendable, Equatable {
    package enum Result: String, Codable, Sendable {
        case renamed
        /// Another user has the new number; nothing is merged.
        case taken
        /// The new number is not a valid phone number.
        case impossible
    }

    package var from: String
    package var to: String
    /// The user who has the old number; `nil` for an invitation.
    package var userID: String?
    package var result: Result
    /// The user who has the new number, if it is taken.
    package var holderID: String?

    package init(from: String, to: String, userID: String?, result: Result, holderID: String? = nil) {
        self.from = from
        self.to = to
        self.userID = userID
        self.result = result
        self.holderID = holderID
    }
}
