/// The user of a request, as verified by its access token.
struct SignedInUser: Sendable, Equatable {
    let id: UserID
    let sessionID: String
}
