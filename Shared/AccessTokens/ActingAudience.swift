/// The audience of the tokens of people who act as users.
///
/// Such a token has the user's id as its `sub`. The audience keeps it from every verifier that does not look for `act`.
package enum ActingAudience {
    /// The claim that identifies the person who acts.
    package static let claim = "act"

    /// - Parameter audience: the policy's, which users' tokens have.
    package static func of(_ audience: String) -> String { audience + "/acting" }
}
