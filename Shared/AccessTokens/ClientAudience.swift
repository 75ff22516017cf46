/// The audience of clients' tokens.
///
/// Such a token has a client's id as its `sub`. Back ends that verify tokens read `sub` as the user, so the audience keeps both kinds
/// apart for every verifier (RFC 9068 section 5).
package enum ClientAudience {
    /// The claim that contains the client's id.
    package static let claim = "client_id"

    /// - Parameter audience: the policy's, which users' tokens have.
    package static func of(_ audience: String) -> String { audience + "/client" }
}
