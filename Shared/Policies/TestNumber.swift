import PhoneNumbers

/// A phone number of testers with a fixed code, to which nothing is sent, until a set day.
package struct TestNumber: Sendable, Hashable {
    /// The phone number in E.164.
    package var phone: String
    package var code: String
    /// The end of its last day in UTC, in Unix seconds.
    package var endsAt: Int64
    package var environments: [DeploymentEnvironment]

    package init(
        phone: String, code: String, endsAt: Int64, environments: [DeploymentEnvironment] = [.development, .uat]
    ) {
        self.phone = phone
        self.code = code
        self.endsAt = endsAt
        self.environments = environments
    }
}

extension TestNumber {
    static func keys(codeLength: Int) -> [Key<Self>] {
        [
            Key("phone", \.phone, .text(.e164), "", required: true, example: "\"+15550001234\""),
            Key("code", \.code, .text(.code(length: codeLength)), "", required: true, example: "\"123456\""),
            Key(
                "until", \.endsAt, .text(.endOfDay),
                "Its last day in UTC: an entry that is forgotten expires automatically.", required: true,
                example: "\"2026-12-31\""),
            Key(
                "environments", \.environments, .values(DeploymentEnvironment.testing, .testingEnvironment),
                "The environments in which it applies, never production."),
        ]
    }
}

extension ValueRule where Value == Int64 {
    /// A day, read as its end in UTC in Unix seconds.
    static var endOfDay: ValueRule<Int64> {
        ValueRule("a day in quotes, such as \"2026-12-31\"", text: CalendarDay.text(endingAt:)) {
            CalendarDay($0)?.endsAt
        }
    }
}

extension ValueRule where Value == String {
    fileprivate static var e164: TextRule {
        TextRule("a phone number in E.164 in quotes, such as \"+15551234567\"") { text in
            do throws(PhoneNumberProblem) { return try PhoneNumber(parsing: text).e164 == text } catch { return false }
        }
    }
}
