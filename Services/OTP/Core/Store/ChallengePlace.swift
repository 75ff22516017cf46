import InternalAPI
import Policies

/// The place of a challenge among those of its phone number. There is one place for each purpose in each dialect, so that a code is
/// valid only in the dialect that requested it, and one for each user of bound codes.
struct ChallengePlace: Sendable, Equatable {
    /// The place in packed values, 0 to 7; a number never changes its meaning.
    let number: Int
    /// The user that the challenge is bound to, if any.
    let userID: String?
    /// Whether guesses count apart from those of sign-ins, for each recipient and purpose. Such a code goes to an account's own phone
    /// number or email address, and neither signs in nor adds one.
    let hasOwnLane: Bool
    /// The name to which a challenge's id, its code and its proof are bound, besides the recipient.
    let name: String

    /// The places of sign-ins, by dialect; the others are for other purposes.
    private static let signIns = [Dialect.native: 0, Dialect.aarokya: 1, Dialect.supabase: 2]

    private static let others: [Purpose: Int] = [.merge: 4, .deletion: 5, .reauthentication: 6, .identity: 7]
    /// The places in the dialect `supabase`. A number or address is of one account, so no user has codes of both kinds of place 4 there:
    /// a merge's go to another account than the user's own.
    private static let ofSupabase: [Purpose: Int] = [.identity: 3, .reauthentication: 4]

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
        case .deletion, .reauthentication, .identity, .merge:
            let places = [Dialect.native: Self.others, Dialect.supabase: Self.ofSupabase][dialect]
            guard let place = places?[purpose] else { return nil }
            number = place
        }
        hasOwnLane = [.reauthentication, .merge].contains(purpose)
        self.userID = userID
        name = ([purpose.rawValue] + (dialect == Dialect.native ? [] : [dialect]) + (userID.map { [$0] } ?? []))
            .joined(separator: " ")
    }
}
