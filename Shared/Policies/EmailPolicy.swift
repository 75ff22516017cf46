/// The rules of signing in by mail: one message contains a code and a link.
package struct EmailPolicy: Sendable, Equatable {
    /// The limits and lifetimes of codes, as for codes to phones; values that only phones have are unused.
    package var codes: OTPPolicy
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
    static let keys: [Key<Self>] =
        OTPPolicy.numbers(per: "Recipient", lifetimeSeconds: 60...600).map { $0.within(\.codes) } + [
            Key(
                "linkURL", optional: \.linkURL, .text(PublicURL.linkRule),
                "Where links lead; default `publicURL` with \(linkPath).", example: "https://app.example.com/signed-in")
        ]
}
