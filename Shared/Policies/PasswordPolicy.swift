/// Accounts with a password: what one costs, what it has to be, and how often one may guess.
package struct PasswordPolicy: Sendable, Equatable {
    package static let lengthMinRange = 8...64

    package var cost = PasswordCost.standard
    /// Characters, where a password is set.
    package var lengthMin = 8
    package var attempts = PasswordAttempts()
    package var mails = AccountMailLimits()

    package init() {}
}

/// How often a password is tried before whoever tries has to wait.
package struct PasswordAttempts: Sendable, Equatable {
    /// The first wait beyond `perAccountAndNetwork`; each further wrong password doubles it.
    package static let waitSeconds: Int64 = 30
    package static let waitSecondsMax: Int64 = 3_600

    /// For one account from one network (/24, /48), or with one of the user's own tokens.
    package var perAccountAndNetwork = RateLimit(max: 10, windowSeconds: 900)
    /// For one account from all networks from which nobody has signed in to it.
    package var perAccount = RateLimit(max: 100, windowSeconds: 86_400)
    /// From one client address (IPv6: /64) for whatever accounts; allows for carrier NAT.
    package var perAddress = RateLimit(max: 600, windowSeconds: 3_600)

    package init() {}
}

/// Limits for mails about accounts. A request over `perNetwork` is refused; over any other limit it is answered as usual,
/// and no mail is sent.
package struct AccountMailLimits: Sendable, Equatable {
    /// How long, in seconds, the same request sends nothing more and counts for nothing but its network.
    package static let repeatSeconds: Int64 = 180

    /// Mails to one mailbox: counted separately for registrations and resets, and for the owner's networks and all others.
    /// One network can use half of each limit, rounded up.
    package var perRecipient = [
        RateLimit(max: 3, windowSeconds: 3_600), RateLimit(max: 10, windowSeconds: 86_400),
    ]
    /// Requests from one network (/24, /48), whatever the address.
    package var perNetwork = RateLimit(max: 300, windowSeconds: 3_600)
    /// Mails of the whole deployment.
    package var inTotal = RateLimit(max: 3_000, windowSeconds: 3_600)
    /// The share of `inTotal`, in percent, that is kept for recognised clients: networks from which the account's owner has
    /// signed in.
    package var forKnownPercent = 20

    package init() {}

    /// The part of `inTotal` that unrecognised clients can use.
    package var strangersTotal: Int { Swift.max(1, inTotal.max * (100 - forKnownPercent) / 100) }
}

extension PasswordPolicy {
    /// Section `passwords`; missing, nobody has one. Every key has a default:
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

/// What a new password ends.
package struct PasswordChangePolicy: Sendable, Equatable {
    package enum Ends: String, Sendable, CaseIterable {
        /// Every session of the user.
        case all
        /// All but the one that asks for the change; a reset ends all the same.
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
