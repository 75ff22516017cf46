/// The rules of one-time codes; the maxima are those of the security guide (R-50…R-56).
package struct OTPPolicy: Sendable, Equatable {
    /// The number of digits of a code.
    package var length = 6
    /// How long a code can be used.
    package var lifetimeSeconds: Int64 = 300
    /// How long a correct code yields the same attestation again (design section 4, step 1).
    package var approvedSeconds: Int64 = 60
    /// How long a challenge outlives its code, so that wrong or used, expired and unknown codes can be told apart.
    package var recordOutlivesSeconds: Int64 = 3_600
    /// Codes sent to one phone number or email address.
    package var sendsPerRecipient = [RateLimit(max: 3, windowSeconds: 3_600)]
    /// Codes sent at the request of one client IP address (IPv6: /64); allows for carrier NAT.
    package var sendsPerAddress = [RateLimit(max: 300, windowSeconds: 3_600)]
    /// Codes sent to phone numbers of unrecognised clients that differ only in their last four digits.
    package var sendsPerPrefix = [RateLimit(max: 20, windowSeconds: 3_600)]
    /// Codes sent to phone numbers of one calling code.
    package var sendsPerCountry = [RateLimit(max: 10_000, windowSeconds: 3_600)]
    /// Codes sent in total, which bound the cost of an hour.
    package var sendsInTotal = [RateLimit(max: 20_000, windowSeconds: 3_600)]
    /// The part of `sendsPerCountry` and `sendsInTotal`, in percent, that only recognised clients can use: unrecognised clients
    /// that use up the other part do not block users.
    package var sendsForKnownPercent = 20
    /// Guesses that are evaluated against one challenge.
    package var attemptsPerChallenge = 5
    /// Guesses that are evaluated for one phone number or email address over all its challenges.
    package var attemptsPerRecipient = [
        RateLimit(max: 10, windowSeconds: 3_600), RateLimit(max: 20, windowSeconds: 86_400),
    ]
    /// Guesses that are evaluated from one client IP address (IPv6: /64); allows for carrier NAT.
    package var attemptsPerAddress = [RateLimit(max: 600, windowSeconds: 3_600)]
    package var lockouts = [
        Lockout(failures: 5, withinSeconds: 3_600, lockSeconds: 3_600),
        Lockout(failures: 10, withinSeconds: 86_400, lockSeconds: 86_400),
    ]
    /// The text of a message; `{code}` represents the code. A policy that was read has the app's name in place of `{app}`.
    package var messageTemplate = "Your code is \(OTPPolicy.codePlaceholder)"
    /// The code that every challenge has instead of one that is sent.
    package var fixedCode: FixedCode?
    /// Phone numbers with their own fixed code, to which nothing is sent.
    package var testNumbers: [TestNumber] = []

    package init() {}

    /// The number of digits at the end of a phone number that its prefix lacks.
    package static let prefixDropsDigits = 4

    package static let codePlaceholder = "{code}"
    /// The longest text of a message. It leaves room in one SMS segment (160 characters) for the line that binds the code to a
    /// domain or an app.
    package static let messageLengthMax = 110

    /// The code that a phone number always has at `now` (Unix seconds), so that nothing is sent; `nil` if it has none.
    package func fixedCode(e164: String, now: Int64, in environment: DeploymentEnvironment) -> String? {
        let test = testNumbers.first {
            $0.phone == e164 && now < $0.endsAt && $0.environments.contains(environment)
        }
        return test?.code ?? fixedCode.flatMap { $0.environments.contains(environment) ? $0.code : nil }
    }

    /// The part that unrecognised clients may use of a limit that they share with recognised ones, at least 1.
    package func unrecognisedPart(of max: Int) -> Int {
        Swift.max(1, max * (100 - sendsForKnownPercent) / 100)
    }

    /// The problem with the length of the text after the app's name is in it, or `nil`.
    var lengthProblem: String? {
        let length = messageTemplate.unicodeScalars.count
        guard length > Self.messageLengthMax else { return nil }
        return "makes \(length) characters with messages.appName; allowed: \(Self.messageLengthMax)"
    }

    /// The parts of the text before, between and after the places of the code.
    package var messageParts: [String] { Self.parts(of: messageTemplate) }

    static func parts(of template: String) -> [String] {
        template.split(separator: codePlaceholder, omittingEmptySubsequences: false).map(String.init)
    }
}

extension OTPPolicy {
    /// Section `otp`, of the policy or of a dialect. Every key has a default; in a dialect that is the policy's value:
    /// - `length` integer, 6...8, default 6
    /// - `lifetimeSeconds` integer, 30...600, default 300
    /// - `approvedSeconds` integer, 10...60, default 60
    /// - `recordOutlivesSeconds` integer, 60...86,400, default 3,600
    /// - `sendsPerPhone` list of 1...4 limits (`max` 1...20, `windowSeconds`), default 3 an hour
    /// - `sendsPerAddress` list of 1...4 limits, default 300 an hour
    /// - `sendsPerPrefix` list of 0...4 limits, default 20 an hour
    /// - `sendsPerCountry` list of 0...4 limits, default 10,000 an hour
    /// - `sendsInTotal` list of 0...4 limits, default 20,000 an hour
    /// - `sendsForKnownPercent` integer, 0...90, default 20
    /// - `attemptsPerChallenge` integer, 1...5, default 5
    /// - `attemptsPerPhone` list of 1...4 limits (`max` 1...20), default 10 an hour and 20 a day
    /// - `attemptsPerAddress` list of 1...4 limits, default 600 an hour
    /// - `lockouts` list of 0...4 (`failures`, `withinSeconds`, `lockSeconds`), default 5 in 1 h → 1 h, 10 in 24 h → 24 h
    /// - `message` text of at most 110 characters with `{code}` once, and with `{app}` for the app's name, default
    ///   `Your code is {code}`
    /// - `fixedCode` section, see `FixedCode`, default none
    /// - `testNumbers` list of 0...32, see `TestNumber`, default empty
    ///
    /// - Parameter base: The values of missing keys.
    init(reading section: PolicySection, over base: OTPPolicy = OTPPolicy()) {
        self = base
        readNumbers(section, per: "Phone", lifetimeSeconds: 30...600)
        section.list("sendsPerPrefix", count: 0...4, into: &sendsPerPrefix, RateLimit.init(reading:))
        section.list("sendsPerCountry", count: 0...4, into: &sendsPerCountry, RateLimit.init(reading:))
        section.text("message", .messageTemplate, into: &messageTemplate)
        section.section("fixedCode", isSecret: true) { fixedCode = FixedCode(reading: $0, length: length) }
        section.list("testNumbers", count: 0...32, into: &testNumbers) { [length] in
            TestNumber(reading: $0, codeLength: length)
        }
        let codes = testNumbers.map(\.code) + (fixedCode.map { [$0.code] } ?? [])
        if length != base.length, codes.contains(where: { !$0.isEmpty && $0.utf8.count != length }) {
            section.refuse("length", "the policy's fixed codes have another length. Use \(base.length).")
        }
    }

    /// Reads the keys that codes to phones and codes by mail share.
    ///
    /// - Parameter recipient: The word for a recipient in the names of keys, `Phone` or `Recipient`.
    mutating func readNumbers(
        _ section: PolicySection, per recipient: String, lifetimeSeconds lifetimes: ClosedRange<Int64>
    ) {
        section.integer("length", in: 6...8, into: &length)
        section.integer("lifetimeSeconds", in: lifetimes, into: &lifetimeSeconds)
        section.integer("approvedSeconds", in: 10...60, into: &approvedSeconds)
        section.integer("recordOutlivesSeconds", in: 60...86_400, into: &recordOutlivesSeconds)
        section.list("sendsPer\(recipient)", count: 1...4, into: &sendsPerRecipient, Self.perRecipient)
        section.list("sendsPerAddress", count: 1...4, into: &sendsPerAddress, RateLimit.init(reading:))
        section.list("sendsInTotal", count: 0...4, into: &sendsInTotal, RateLimit.init(reading:))
        section.integer("sendsForKnownPercent", in: 0...90, into: &sendsForKnownPercent)
        section.integer("attemptsPerChallenge", in: 1...5, into: &attemptsPerChallenge)
        section.list("attemptsPer\(recipient)", count: 1...4, into: &attemptsPerRecipient, Self.perRecipient)
        section.list("attemptsPerAddress", count: 1...4, into: &attemptsPerAddress, RateLimit.init(reading:))
        section.list("lockouts", count: 0...4, into: &lockouts, Lockout.init(reading:))
    }

    /// Reads a limit per recipient. Each event of a recipient is stored with its time, so the number of events is bounded.
    private static func perRecipient(_ section: PolicySection) -> RateLimit {
        RateLimit(reading: section, maxIn: 1...eventsPerRecipientMax)
    }

    /// The highest `max` of limits per phone number or email address (security guide R-53: 20 attempts a day).
    package static let eventsPerRecipientMax = 20
}

extension ValueRule where Value == String {
    fileprivate static var messageTemplate: TextRule {
        let (length, place) = (OTPPolicy.messageLengthMax, OTPPolicy.codePlaceholder)
        return TextRule("text of at most \(length) characters on one line with \(place) once") { text in
            text.unicodeScalars.count <= length
                && text.split(separator: place, omittingEmptySubsequences: false).count == 2
                && text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        }
    }

    static func digits(count: Int) -> TextRule {
        TextRule("\(count) digits in quotes", isSecret: true) { text in
            text.utf8.count == count && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        }
    }
}
