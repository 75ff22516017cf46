/// The rules of signing in by mail: one message contains a code and a link.
package struct EmailPolicy: Sendable, Equatable {
    /// The limits and lifetimes of codes, as for codes to phones; values that only phones have are unused.
    package var codes: OTPPolicy
    /// The URL to which links lead; `nil` for `linkPath` at the deployment's `publicURL`.
    package var linkURL: String?

    package static let linkPath = "/auth/magic-link"

    package init() {
        codes = OTPPolicy()
        codes.lifetimeSeconds = 600
        codes.sendsPerRecipient = [RateLimit(max: 5, windowSeconds: 3_600)]
        codes.sendsPerPrefix = []
        codes.sendsPerCountry = []
    }
}

extension EmailPolicy {
    /// Section `email`; if it is missing, users cannot sign in by mail. Every key has a default:
    /// - `lifetimeSeconds` integer, 60...600, default 600
    /// - `sendsPerRecipient` list of 1...4 limits (`max` 1...20, `windowSeconds`), default 5 an hour
    /// - `attemptsPerRecipient` list of 1...4 limits (`max` 1...20), default 10 an hour and 20 a day
    /// - `length`, `approvedSeconds`, `recordOutlivesSeconds`, `sendsPerAddress`, `sendsInTotal`, `sendsForKnownPercent`,
    ///   `attemptsPerChallenge`, `attemptsPerAddress`, `lockouts` as in `otp`
    /// - `linkURL` an http or https URL without a query, default `publicURL` with `/auth/magic-link`
    init(reading section: PolicySection) {
        self.init()
        codes.readNumbers(section, per: "Recipient", lifetimeSeconds: 60...600)
        section.text("linkURL", PublicURL.linkRule, into: &linkURL)
    }
}
