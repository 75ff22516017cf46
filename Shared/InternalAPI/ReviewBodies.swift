/// Requests a review code for a phone number, valid until a time, for a store's reviewers; answered with `ReviewAccess`.
package struct ReviewAccessRequest: Codable, Sendable, Equatable {
    /// The phone number in any spelling with its calling code.
    package var phone: String
    /// Unix time in seconds.
    package var until: Int64
    /// The administrator who acts, as audit records contain them; `nil` if it is the operator.
    package var administrator: String?

    package init(phone: String, until: Int64, administrator: String? = nil) {
        (self.phone, self.until, self.administrator) = (phone, until, administrator)
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
    /// The number of sessions that an administrator ended with it; `nil` if the operator ended the access alone.
    package var endedCount: Int?

    package init(wasOpen: Bool, endedCount: Int? = nil) { (self.wasOpen, self.endedCount) = (wasOpen, endedCount) }
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

/// Requests the open review accesses, and when that of one phone number ends; answered with `ReviewList`.
package struct ReviewListRequest: Codable, Sendable, Equatable {
    package var phone: String?
    /// The administrator who reads, as audit records contain them; `nil` if it is the operator.
    package var administrator: String?

    package init(phone: String? = nil, administrator: String? = nil) {
        (self.phone, self.administrator) = (phone, administrator)
    }
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
    /// The Unix second at which the access of the requested number ends; `nil` if it has none.
    package var until: Int64?

    package init(rows: [Row], until: Int64? = nil) { (self.rows, self.until) = (rows, until) }
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
