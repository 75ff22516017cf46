/// Requests a review code for a phone number, valid until a time, for a store's reviewers; answered with `ReviewAccess`.
package struct ReviewAccessRequest: Codable, Sendable, Equatable {
    /// The phone number in any spelling with its calling code.
    package var phone: String
    /// Unix time in seconds.
    package var until: Int64

    package init(phone: String, until: Int64) {
        self.phone = phone
        self.until = until
    }
}

/// The codes that reviewers enter.
package struct ReviewAccess: Codable, Sendable, Equatable {
    /// The codes by dialect, since dialects have codes of different lengths.
    package var codes: [String: String]

    package init(codes: [String: String]) { self.codes = codes }
}

/// Identifies a phone number, for the operator or an administrator.
package struct NumberRequest: Codable, Sendable, Equatable {
    package var phone: String
    /// The administrator who acts, as audit records contain them; `nil` if it is the operator.
    package var administrator: String?

    package init(phone: String, administrator: String? = nil) {
        (self.phone, self.administrator) = (phone, administrator)
    }
}

/// Whether a phone number had review access until now.
package struct EndedReview: Codable, Sendable, Equatable {
    package var wasOpen: Bool

    package init(wasOpen: Bool) { self.wasOpen = wasOpen }
}

/// A phone number that a review code has verified; answered with `ReviewStanding`.
package struct ReviewProof: Codable, Sendable, Equatable {
    package var phone: String
    /// Unix time in seconds at which the code was requested.
    package var challengedAt: Int64

    package init(phone: String, challengedAt: Int64) {
        self.phone = phone
        self.challengedAt = challengedAt
    }
}

/// Whether the review access of a proof is still open.
package struct ReviewStanding: Codable, Sendable, Equatable {
    package var isOpen: Bool

    package init(isOpen: Bool) { self.isOpen = isOpen }
}

/// Whether anything counted against a phone number until now.
package struct UnlockedNumber: Codable, Sendable, Equatable {
    package var wasLocked: Bool

    package init(wasLocked: Bool) { self.wasLocked = wasLocked }
}

/// The open review accesses.
package struct ReviewList: Codable, Sendable, Equatable {
    package struct Row: Codable, Sendable, Equatable {
        /// The number's first and last digits; the rest is not stored.
        package var label: String
        /// Unix time in seconds.
        package var until: Int64

        package init(label: String, until: Int64) {
            self.label = label
            self.until = until
        }
    }

    package var rows: [Row]

    package init(rows: [Row]) { self.rows = rows }
}

/// Why a review access is refused.
package enum ReviewRefusal: String, RequestBodyRefusal {
    case invalidRequest = "invalid_request"
    /// The policy sends no codes to phones, so there is nothing that a reviewer could type.
    case noCodes = "no_codes"
    /// The end is in the past, or too far away.
    case invalidEnd = "invalid_end"
    /// The policy sends no codes to the number's country.
    case blockedCountry = "blocked_country"
    /// The maximum number of review accesses is open.
    case tooMany = "too_many"
}
