/// The caller of an administrator's operation, as verified by its access token. Whether it is one is decided by its row; a key of
/// `AdminKeys` is one by itself.
enum AdminCaller: Sendable, Equatable {
    case user(SignedInUser)
    case client(AuthenticatedClient)
    /// The holder of the key with this name.
    case key(String)
}

/// The client of a request, as verified by its access token.
struct AuthenticatedClient: Sendable, Equatable {
    let id: String
    let sid: String
    /// When the token was issued, which is when the client last showed who it is, in Unix seconds.
    let authenticatedAt: Int64
}
