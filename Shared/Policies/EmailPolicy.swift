/// Signing in by mail: one message with a code and a link.
package struct EmailPolicy: Sendable, Equatable {
    /// The numbers, as of codes to phones; nothing of it is a phone's alone.
    package var codes: OTPPolicy
    /// Where links lead; nil: to `linkPath` at the deployment's `publicURL`.
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
    /// Section `email`; missing, nobody signs in by mail. Every key has a default:
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
