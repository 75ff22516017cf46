/// The rules of accounts with a password: the cost of a hash, the form of a password, and the number of guesses.
package struct PasswordPolicy: Sendable, Equatable {
    package static let lengthMinRange = 8...64

    package var cost = PasswordCost.standard
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

    package var perAccountAndNetwork = RateLimit(max: 10, windowSeconds: 900)
    package var perAccount = RateLimit(max: 100, windowSeconds: 86_400)
    package var perAddress = RateLimit(max: 600, windowSeconds: 3_600)

    package init() {}
}

/// The limits for mails about accounts. A request over `perNetwork` is refused. A request over any other limit gets the usual
/// response, and no mail is sent.
package struct AccountMailLimits: Sendable, Equatable {
    /// How long, in seconds, repeats of a request send no mail and count only for their network.
    package static let repeatSeconds: Int64 = 180

    package var perRecipient = [
        RateLimit(max: 3, windowSeconds: 3_600), RateLimit(max: 10, windowSeconds: 86_400),
    ]
    package var perNetwork = RateLimit(max: 300, windowSeconds: 3_600)
    package var inTotal = RateLimit(max: 3_000, windowSeconds: 3_600)
    package var forKnownPercent = 20

    package init() {}

    /// The part of `inTotal` that unrecognised clients can use.
    package var unrecognisedTotal: Int { Swift.max(1, inTotal.max * (100 - forKnownPercent) / 100) }
}

extension PasswordPolicy {
    static let keys: [Key<Self>] = [
        Key("argon2id", section: \.cost, PasswordCost.keys, "The cost of a hash."),
        Key(
            "lengthMin", \.lengthMin, .integer(lengthMinRange),
            "The number of characters of a new password; at most 128, and common passwords are refused."),
        Key(
            "attempts", section: \.attempts, PasswordAttempts.keys, "Guesses, counted before a password is compared."),
        Key("mails", section: \.mails, AccountMailLimits.keys, "Mails about accounts."),
    ]
}

extension PasswordAttempts {
    static let keys: [Key<Self>] = [
        Key(
            "perAccountAndNetwork", section: \.perAccountAndNetwork, RateLimit.keys(1...100),
            "For one account from one network (/24, /48), or with the user's own token; then waits of 30 s that double to "
                + "an hour."),
        Key(
            "perAccount", section: \.perAccount, RateLimit.keys(),
            "For one account from all networks from which its user has not signed in."),
        Key(
            "perAddress", section: \.perAddress, RateLimit.keys(),
            "From one client IP address for all accounts; allows for carrier NAT."),
    ]
}

extension AccountMailLimits {
    static let keys: [Key<Self>] = [
        Key(
            "perRecipient", \.perRecipient, .list(1...4, .limit(1...100)),
            "Mails to one mailbox: for registrations and resets, and for its user's networks and all others, separately. "
                + "One network can use half of each limit. Over it nothing is sent, and the response stays the same."),
        Key(
            "perNetwork", section: \.perNetwork, RateLimit.keys(), "Requests from one network (/24, /48); over it 429."),
        Key(
            "inTotal", section: \.inTotal, RateLimit.keys(),
            "Mails of the whole deployment; over it nothing is sent."),
        Key(
            "forKnownPercent", \.forKnownPercent, .integer(0...90),
            "The part of `inTotal` for networks from which the account's user has signed in."),
    ]
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
    static let keys: [Key<Self>] = [
        Key("ends", \.ends, .choice, "All sessions, or all others than the one that changes the password.")
    ]
}

/// The sessions that end when users replace or remove an identity.
package struct IdentityChangePolicy: Sendable, Equatable {
    package enum Ends: String, Sendable, CaseIterable {
        /// Every session of the user.
        case all
        /// Every session but the one that makes the change.
        case others
        case none
    }

    package var ends = Ends.others
    /// The delay of changes that the operator starts for a user, or that are not verified completely.
    package var supportDelayHours: Int64 = 24

    package init() {}
}

extension IdentityChangePolicy {
    static let keys: [Key<Self>] = [
        Key(
            "ends", \.ends, .choice,
            "All sessions, all others than the one that makes the change, or none. A new identity ends no session."),
        Key(
            "supportDelayHours", \.supportDelayHours, .integer(0...720),
            "The hours in which a user may object to a new phone number of `latchkeyctl users replace-phone` after its proof."
        ),
    ]
}
