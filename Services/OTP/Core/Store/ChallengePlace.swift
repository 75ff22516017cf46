import InternalAPI
import Policies

/// The place of a challenge among those of its phone number. There is one place for each purpose in each dialect, so that a code is
/// valid only in the dialect that requested it, and one for each user of bound codes.
struct ChallengePlace: Sendable, Equatable {
    /// The place in packed values, 0 to 7; a number never changes its meaning.
    let number: Int
    /// The user that the challenge is bound to, if any.
    let userID: String?
    /// The name to which a challenge's id, its code and its proof are bound, besides the recipient.
    let name: String

    /// The places of sign-ins, by dialect; 5 to 7 are for other purposes.
    private static let signIns = [Dialect.native: 0, Dialect.aarokya: 1]

    /// Whether codes are requested in a dialect.
    static func isIn(_ dialect: String) -> Bool { signIns[dialect] != nil }

    /// Creates a place, or returns `nil` for a dialect in which no codes are requested.
    ///
    /// - Parameter userID: the user of a bound code.
    init?(_ purpose: Purpose, of userID: String? = nil, in dialect: String) {
        switch purpose {
        case .signIn:
            guard let number = Self.signIns[dialect] else { return nil }
            self.number = number
        case .deletion, .reauthentication, .identity:
            guard dialect == Dialect.native else { return nil }
            number = purpose == .deletion ? 5 : purpose == .reauthentication ? 6 : 7
        }
        self.userID = userID
        name = ([purpose.rawValue] + (dialect == Dialect.native ? [] : [dialect]) + (userID.map { [$0] } ?? []))
            .joined(separator: " ")
    }
}
