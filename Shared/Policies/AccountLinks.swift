/// The paths of the gateway's pages for links in mails about accounts, below the deployment's own URL.
package enum AccountLinks {
    /// The page that confirms a registration.
    package static let confirmPath: StaticString = "/auth/verify-email"
    /// The page that sets a password, including a first one.
    package static let resetPath: StaticString = "/auth/reset-password"
    /// The page that verifies an address that the operator gave an account.
    package static let addressPath: StaticString = "/auth/confirm-address"
    /// The page by which users report that a change of their account was not theirs.
    package static let notMePath: StaticString = "/auth/not-me"
}
