import PhoneNumbers

/// A phone number of testers with a fixed code, to which nothing is sent, until a set day.
package struct TestNumber: Sendable, Hashable {
    /// The phone number in E.164.
    package var phone: String
    package var code: String
    /// The end of its last day in UTC, in Unix seconds.
    package var endsAt: Int64
    /// The environments in which it applies; never production.
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
    /// Reads the keys:
    /// - `phone` E.164 number in quotes, required
    /// - `code` text of `otp.length` digits, required
    /// - `until` its last day in UTC, such as "2026-12-31", required: an entry that is forgotten expires automatically
    /// - `environments` list of development and uat, default both
    init(reading section: PolicySection, codeLength: Int) {
        self.init(phone: "", code: "", endsAt: 0)
        section.requiredValue("phone", .e164, into: &phone)
        section.requiredValue("code", .digits(count: codeLength), into: &code)
        section.requiredValue("until", Self.endOfDay, into: &endsAt)
        section.values("environments", count: DeploymentEnvironment.testing, .testingEnvironment, into: &environments)
    }

    private static var endOfDay: ValueRule<Int64> {
        ValueRule("a day in quotes, such as \"2026-12-31\"") { CalendarDay($0)?.endsAt }
    }
}

extension ValueRule where Value == String {
    fileprivate static var e164: TextRule {
        TextRule("a phone number in E.164 in quotes, such as \"+15551234567\"") { text in
            do throws(PhoneNumberProblem) { return try PhoneNumber(parsing: text).e164 == text } catch { return false }
        }
    }
}
