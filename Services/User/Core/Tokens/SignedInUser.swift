/// Who makes a request, proved by an access token; nothing else says so.
struct SignedInUser: Sendable, Equatable {
    let id: UserID
    let sessionID: String
}
