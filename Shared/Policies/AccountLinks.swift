/// Where the links of mails about accounts lead, beneath the deployment's own URL: the gateway's pages.
package enum AccountLinks {
    /// Confirms a registration.
    package static let confirmPath = "/auth/verify-email"
    /// Sets a password, the first one too.
    package static let resetPath = "/auth/reset-password"
}
