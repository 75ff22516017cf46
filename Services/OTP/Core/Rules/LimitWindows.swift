import CryptoPrimitives
import EmailAddresses
import PhoneNumbers
import Policies

/// Finds the windows in which a call is counted.
struct LimitWindows: Sendable {
    let otp: OTPPolicy
    let secrets: CodeSecrets

    /// Returns the windows of a send.
    func forSend(
        _ recipient: Recipient, from address: IPAddress, exemption: LimitExemption, now: Int64
    ) -> [LimitWindow] {
        guard exemption != .all else { return [] }
        let shared = forSharedSend(recipient, now: now)
        guard exemption == .none else { return shared }
        return windows("s", of: address, otp.sendsPerAddress, now: now) + networkShare(recipient, address, now: now)
            + shared
    }

    /// Returns the windows of a guess.
    func forGuess(from address: IPAddress, exemption: LimitExemption, now: Int64) -> [LimitWindow] {
        guard exemption == .none else { return [] }
        return windows("v", of: address, otp.attemptsPerAddress, now: now)
    }

    /// Returns the part of a mailbox's limit for unrecognised clients that one network can use: half, rounded up. So a single
    /// network never keeps the owner from signing in elsewhere.
    private func networkShare(_ recipient: Recipient, _ address: IPAddress, now: Int64) -> [LimitWindow] {
        guard case .email(let email) = recipient else { return [] }
        let share = otp.sendsPerRecipient.map { RateLimit(max: ($0.max + 1) / 2, windowSeconds: $0.windowSeconds) }
        return windows(
            "sn", .mailbox, share, tag: secrets.tag(mailbox: "\(email.mailbox)\n\(address.knownScope)"),
            known: { _ in nil }, now: now)
    }

    /// Returns the limits that a send shares with other recipients, whichever address it comes from.
    private func forSharedSend(_ recipient: Recipient, now: Int64) -> [LimitWindow] {
        let narrow: [LimitWindow] =
            switch recipient {
            case .phone(let phone): forPrefixAndCountry(phone, now: now)
            case .email(let address):
                forMailbox(secrets.tag(mailbox: address.mailbox), now: now)
            case .unknown: []
            }
        return narrow
            + windows(
                "s", .total, otp.sendsInTotal, name: recipient.totalName, unrecognised: otp.unrecognisedPart(of:),
                now: now
            )
    }

    /// Returns the limits of a mailbox. Unrecognised clients use up none of the mails of recognised ones.
    private func forMailbox(_ tag: [UInt8], now: Int64) -> [LimitWindow] {
        windows("s", .mailbox, otp.sendsPerRecipient, tag: tag, known: { _ in nil }, now: now)
            + windows("sk", .mailbox, otp.sendsPerRecipient, tag: tag, unrecognised: { _ in nil }, now: now)
    }

    private func forPrefixAndCountry(_ phone: PhoneNumber, now: Int64) -> [LimitWindow] {
        let prefix = secrets.tag(prefix: String(phone.handset.dropLast(OTPPolicy.prefixDropsDigits)))
        return windows("s", .prefix, otp.sendsPerPrefix, tag: prefix, known: { _ in nil }, now: now)
            + windows(
                "s", .country, otp.sendsPerCountry, name: String(phone.callingCode),
                unrecognised: otp.unrecognisedPart(of:),
                now: now)
    }

    /// The number of buckets for the tags of one window. With a million addresses a bucket contains 244.
    private static let bucketCount = 4_096
    private static let fieldByteCount = 4

    /// Returns a window for each address block that is counted.
    private func windows(
        _ operation: String, of address: IPAddress, _ limits: [RateLimit], now: Int64
    ) -> [LimitWindow] {
        address.limitScopes.flatMap { scope in
            windows(
                operation, .address, limits.map { $0.times(scope) },
                tag: secrets.tag(address: scope.block.description), now: now)
        }
    }

    private func windows(
        _ operation: String, _ rule: LimitRule, _ limits: [RateLimit], tag: [UInt8],
        unrecognised: (Int) -> Int? = { $0 }, known: (Int) -> Int? = { $0 }, now: Int64
    ) -> [LimitWindow] {
        let bucket = tag.prefix(2).reduce(0) { $0 << 8 | Int($1) } % Self.bucketCount
        return windows(
            operation, rule, limits, name: String(bucket, radix: 16),
            field: Array(tag.dropFirst(2).prefix(Self.fieldByteCount)), unrecognised: unrecognised, known: known,
            now: now)
    }

    private func windows(
        _ operation: String, _ rule: LimitRule, _ limits: [RateLimit], name: String, field: [UInt8] = [],
        unrecognised: (Int) -> Int? = { $0 }, known: (Int) -> Int? = { $0 }, now: Int64
    ) -> [LimitWindow] {
        limits.map { limit in
            let window = now / limit.windowSeconds
            return LimitWindow(
                rule: rule,
                key: RedisKeys.window("\(operation)\(rule.rawValue):\(limit.windowSeconds):\(window):\(name)"),
                field: field, unrecognisedMax: unrecognised(limit.max), knownMax: known(limit.max),
                endsAt: (window + 1) * limit.windowSeconds)
        }
    }
}

extension Recipient {
    /// The name of the recipient's total. Messages and mails have different prices, so they have separate totals.
    fileprivate var totalName: String {
        switch self {
        case .phone: ""
        case .email, .unknown: "email"
        }
    }
}
