/// The rules of accounts with a password: the cost of a hash, the form of a password, and the number of guesses.
package struct PasswordPolicy: Sendable, Equatable {
    package static let lengthMinRange = 8...64

    package var cost = PasswordCost.standard
    /// The number of characters that a new password must have.
    package var lengthMin = 8
    package var attempts = PasswordAttempts()
    package var mails = AccountMailLimits()

    package init() {}
}

/// How often a password can be tried before the client has to wait.
package struct PasswordAttempts: Sendable, Equatable {
    /// The first wait after `perAccountAndNetwork` is used up; each further wrong password doubles it.
    package static let waitSeconds: Int64 = 30
    package static let waitSecondsMax: Int64 = 3_600

    /// The limit for one account from one network (/24, /48), or with one of the user's own tokens.
    package var perAccountAndNetwork = RateLimit(max: 10, windowSeconds: 900)
    /// The limit for one account from all networks without an earlier sign-in to it.
    package var perAccount = RateLimit(max: 100, windowSeconds: 86_400)
    /// The limit for one client IP address (IPv6: /64) over all accounts; allows for carrier NAT.
    package var perAddress = RateLimit(max: 600, windowSeconds: 3_600)

    package init() {}
}

/// The limits for mails about accounts. A request over `perNetwork` is refused. A request over any other limit gets the usual
/// response, and no mail is sent.
package struct AccountMailLimits: Sendable, Equatable {
    /// How long, in seconds, repeats of a request send no mail and count only for their network.
    package static let repeatSeconds: Int64 = 180

    /// Mails to one mailbox: counted separately for registrations and resets, and for the user's networks and all others.
    /// One network can use half of each limit, rounded up.
    package var perRecipient = [
        RateLimit(max: 3, windowSeconds: 3_600), RateLimit(max: 10, windowSeconds: 86_400),
    ]
    /// Requests from one network (/24, /48) for any email addresses.
    package var perNetwork = RateLimit(max: 300, windowSeconds: 3_600)
    /// Mails of the whole deployment.
    package var inTotal = RateLimit(max: 3_000, windowSeconds: 3_600)
    /// The share of `inTotal`, in percent, that is kept for recognised clients: networks from which the account's user has
    /// signed in.
    package var forKnownPercent = 20

    package init() {}

    /// The part of `inTotal` that unrecognised clients can use.
    package var unrecognisedTotal: Int { Swift.max(1, inTotal.max * (100 - forKnownPercent) / 100) }
}

extension PasswordPolicy {
    /// Section `passwords`; if it is missing, users have no passwords. Every key has a default:
    /// - `argon2id` section, see `PasswordCost`
    /// - `lengthMin` integer, 8...64, default 8
    /// - `attempts` section of limits: `perAccountAndNetwork` (`max` 1...100, default 10 in 15 minutes), `perAccount`
    ///   (default 100 a day), `perAddress` (default 600 an hour)
    /// - `mails` section: `perRecipient` list of 1...4 limits (`max` 1...100, default 3 an hour and 10 a day), `perNetwork`
    ///   limit (default 300 an hour), `inTotal` limit (default 3,000 an hour), `forKnownPercent` integer (0...90, default 20)
    init(reading section: PolicySection) {
        self.init()
        section.section("argon2id") { cost = PasswordCost(reading: $0) }
        section.integer("lengthMin", in: Self.lengthMinRange, into: &lengthMin)
        section.section("attempts") { section in
            section.section("perAccountAndNetwork") {
                attempts.perAccountAndNetwork = RateLimit(reading: $0, maxIn: 1...100)
            }
            section.section("perAccount") { attempts.perAccount = RateLimit(reading: $0) }
            section.section("perAddress") { attempts.perAddress = RateLimit(reading: $0) }
        }
        section.section("mails") { section in
            section.list("perRecipient", count: 1...4, into: &mails.perRecipient) {
                RateLimit(reading: $0, maxIn: 1...100)
            }
            section.section("perNetwork") { mails.perNetwork = RateLimit(reading: $0) }
            section.section("inTotal") { mails.inTotal = RateLimit(reading: $0) }
            section.integer("forKnownPercent", in: 0...90, into: &mails.forKnownPercent)
        }
    }
}

/// The sessions that a new password revokes.
package struct PasswordChangePolicy: Sendable, Equatable {
    package enum Ends: String, Sendable, CaseIterable {
        /// Every session of the user.
        case all
        /// Every session but the one that requests the change; a reset still revokes all.
        case others
    }

    package var ends = Ends.all

    package init() {}
}

extension PasswordChangePolicy {
    /// Section `passwordChange`:
    /// - `ends` all or others, default all
    init(reading section: PolicySection) { section.choice("ends", into: &ends) }
}
