internal import CryptoPrimitives
internal import PhoneNumbers
internal import Policies

/// A limit over a window of the clock that many numbers share, and the counter that the call falls under.
struct LimitWindow: Sendable, Equatable {
    let rule: LimitRule
    let key: String
    /// The counter's name in the hash `key`: a tag, or nothing where the key has one counter alone.
    let field: [UInt8]
    let max: Int
    /// Unix seconds.
    let endsAt: Int64
    /// Known callers are neither refused nor counted.
    let isForStrangersAlone: Bool
}

/// Finds the windows that a call falls under.
struct LimitWindows: Sendable {
    let otp: OTPPolicy
    let secrets: CodeSecrets

    /// What a send of a code counts for.
    func forSend(_ phone: PhoneNumber, from address: IPAddress, now: Int64) -> [LimitWindow] {
        let prefix = secrets.tag(prefix: String(phone.e164.dropLast(OTPPolicy.prefixDropsDigits)))
        let address = secrets.tag(address: address.limitScope.description)
        return windows("s", .address, otp.sendsPerAddress, tag: address, now: now)
            + windows("s", .prefix, otp.sendsPerPrefix, tag: prefix, strangersAlone: true, now: now)
            + windows("s", .country, otp.sendsPerCountry, name: String(phone.callingCode), now: now)
            + windows("s", .total, otp.sendsInTotal, name: "", now: now)
    }

    /// What a guess counts for.
    func forGuess(from address: IPAddress, now: Int64) -> [LimitWindow] {
        let address = secrets.tag(address: address.limitScope.description)
        return windows("v", .address, otp.attemptsPerAddress, tag: address, now: now)
    }

    /// Buckets that the tags of one window are spread over; with a million addresses a bucket holds 244.
    private static let bucketCount = 4_096
    private static let fieldByteCount = 4

    private func windows(
        _ operation: String, _ rule: LimitRule, _ limits: [RateLimit], tag: [UInt8], strangersAlone: Bool = false,
        now: Int64
    ) -> [LimitWindow] {
        let bucket = tag.prefix(2).reduce(0) { $0 << 8 | Int($1) } % Self.bucketCount
        return windows(
            operation, rule, limits, name: String(bucket, radix: 16),
            field: Array(tag.dropFirst(2).prefix(Self.fieldByteCount)), strangersAlone: strangersAlone, now: now)
    }

    private func windows(
        _ operation: String, _ rule: LimitRule, _ limits: [RateLimit], name: String, field: [UInt8] = [],
        strangersAlone: Bool = false, now: Int64
    ) -> [LimitWindow] {
        limits.map { limit in
            let window = now / limit.windowSeconds
            return LimitWindow(
                rule: rule,
                key: RedisKeys.window("\(operation)\(rule.rawValue):\(limit.windowSeconds):\(window):\(name)"),
                field: field, max: limit.max, endsAt: (window + 1) * limit.windowSeconds,
                isForStrangersAlone: strangersAlone)
        }
    }
}
