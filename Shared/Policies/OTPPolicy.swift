/// The rules of one-time codes; the maxima are those of the security guide (R-50…R-56).
package struct OTPPolicy: Sendable, Equatable {
    package var length = 6
    package var lifetimeSeconds: Int64 = 300
    package var approvedSeconds: Int64 = 60
    package var recordOutlivesSeconds: Int64 = 3_600
    package var sendsPerRecipient = [RateLimit(max: 3, windowSeconds: 3_600)]
    package var sendsPerAddress = [RateLimit(max: 300, windowSeconds: 3_600)]
    package var sendsPerPrefix = [RateLimit(max: 20, windowSeconds: 3_600)]
    package var sendsPerCountry = [RateLimit(max: 10_000, windowSeconds: 3_600)]
    package var sendsInTotal = [RateLimit(max: 20_000, windowSeconds: 3_600)]
    package var sendsForKnownPercent = 20
    package var attemptsPerChallenge = 5
    package var attemptsPerRecipient = [
        RateLimit(max: 10, windowSeconds: 3_600), RateLimit(max: 20, windowSeconds: 86_400),
    ]
    package var attemptsPerAddress = [RateLimit(max: 600, windowSeconds: 3_600)]
    package var lockouts = [
        Lockout(failures: 5, withinSeconds: 3_600, lockSeconds: 3_600),
        Lockout(failures: 10, withinSeconds: 86_400, lockSeconds: 86_400),
    ]
    /// The text of a message; `{code}` represents the code. A policy that was read has the app's name in place of `{app}`.
    package var messageTemplate = "Your code is \(OTPPolicy.codePlaceholder)"
    package var fixedCode: FixedCode?
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
    static let keys: [Key<Self>] =
        numbers(per: "Phone", lifetimeSeconds: 30...600) + [
            Key(
                "sendsPerPrefix", \.sendsPerPrefix, .list(0...4, .limit()),
                "Codes sent to phone numbers of unrecognised clients that differ only in their last four digits, against "
                    + "SMS pumping."),
            Key(
                "sendsPerCountry", \.sendsPerCountry, .list(0...4, .limit()),
                "Codes sent to phone numbers of one calling code."),
            Key(
                "message", \.messageTemplate, .text(.messageTemplate),
                "The text, in which {app} represents `messages.appName`. With the name it has to fit one message."),
            Key(
                "fixedCode", \.fixedCode,
                "The code that every phone number has in some environments, so that nothing is sent there.",
                example: "{ code: \"123456\", environments: [uat] }"
            ) { otp in
                KeyForm<FixedCode>.section(
                    FixedCode(code: "", environments: []), FixedCode.keys(length: otp.length), isSecret: true
                ).optional
            },
            Key(
                "testNumbers", \.testNumbers, "Phone numbers of testers with a fixed code, to which nothing is sent.",
                example: "[{ phone: \"+15550001234\", code: \"123456\", until: \"2026-12-31\" }]"
            ) { otp in
                .list(
                    0...32,
                    .section(TestNumber(phone: "", code: "", endsAt: 0), TestNumber.keys(codeLength: otp.length)))
            },
        ]

    /// The keys that codes to phones and codes by mail share.
    ///
    /// - Parameter recipient: The word for a recipient in the names of keys, `Phone` or `Recipient`.
    static func numbers(per recipient: String, lifetimeSeconds lifetimes: ClosedRange<Int64>) -> [Key<Self>] {
        let perRecipient = KeyForm.list(1...4, .limit(1...eventsPerRecipientMax))
        return [
            Key("length", \.length, .integer(6...8), "The number of digits of a code."),
            Key("lifetimeSeconds", \.lifetimeSeconds, .integer(lifetimes), "How long a code can be used."),
            Key(
                "approvedSeconds", \.approvedSeconds, .integer(10...60),
                "How long a correct code may be presented again."),
            Key(
                "recordOutlivesSeconds", \.recordOutlivesSeconds, .integer(60...86_400),
                "How long wrong or used, expired and unknown codes can be told apart after a code has expired."),
            Key(
                "sendsPer\(recipient)", \.sendsPerRecipient, perRecipient,
                "Codes sent to one \(recipient == "Phone" ? "phone number" : "mailbox; a suffix after `+` is ignored"). "
                    + "Messages, attempts and lockouts are counted separately for recognised clients (a network, /24 or /48, "
                    + "from which the user signed in within 90 days, or the user's token) and for all others."),
            Key(
                "sendsPerAddress", \.sendsPerAddress, .list(1...4, .limit()),
                "Codes sent at the request of one client IP address; allows for carrier NAT."),
            Key(
                "sendsInTotal", \.sendsInTotal, .list(0...4, .limit()),
                "Codes sent in total, which bound the cost of an hour."),
            Key(
                "sendsForKnownPercent", \.sendsForKnownPercent, .integer(0...90),
                "The part of limits by country and in total that only recognised clients can use, so that users can sign "
                    + "in when others have used up the rest."),
            Key(
                "attemptsPerChallenge", \.attemptsPerChallenge, .integer(1...5),
                "Guesses that are evaluated for one code."),
            Key(
                "attemptsPer\(recipient)", \.attemptsPerRecipient, perRecipient,
                "Guesses that are evaluated for one \(recipient == "Phone" ? "phone number" : "mailbox") over all codes."
            ),
            Key(
                "attemptsPerAddress", \.attemptsPerAddress, .list(1...4, .limit()),
                "Guesses that are evaluated from one client IP address; allows for carrier NAT."),
            Key(
                "lockouts", \.lockouts,
                .list(0...4, .section(Lockout(failures: 1, withinSeconds: 60, lockSeconds: 60), Lockout.keys)),
                "How long a recipient is locked after wrong codes."),
        ]
    }

    /// Refuses a length that the policy's fixed codes do not have.
    func checkCodes(_ section: PolicySection, _ policy: OTPPolicy) {
        let codes = testNumbers.map(\.code) + (fixedCode.map { [$0.code] } ?? [])
        guard length != policy.length, codes.contains(where: { !$0.isEmpty && $0.utf8.count != length }) else { return }
        section.refuse("length", "the policy's fixed codes have another length. Use \(policy.length).")
    }

    /// The highest `max` of limits per phone number or email address (security guide R-53: 20 attempts a day). Each event of a
    /// recipient is stored with its time.
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

    /// A code of so many digits.
    static func code(length: Int) -> TextRule {
        var rule = ascii(length...length, of: "0-9", "\(length) digits in quotes", isSecret: true)
        (rule.documented, rule.pattern) = ("digits in quotes, as many as `otp.length`", "^[0-9]{6,8}$")
        return rule
    }
}
