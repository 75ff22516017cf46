import InternalAPI
import PhoneNumbers
import Policies

extension Policy {
    /// Whether only invited phone numbers become users.
    var isClosedToPhones: Bool { accounts.newUsers.phone == .invited }
}

/// The policy's rules for the one-time codes of a dialect.
struct CodeRules: Sendable {
    var dialect: String
    let environment: DeploymentEnvironment
    let otp: OTPPolicy
    let countries: CountryRule
    /// The region of national phone numbers that are sent without one.
    let defaultRegion: String?
    /// The texts of messages.
    let texts: SMSTexts
    /// The texts of messages with codes for other purposes than sign-in; `texts` is used where there are none.
    var ownTexts: [Purpose: SMSTexts] = [:]
    /// The costs of messages; `nil` if nothing bounds them.
    let spend: SpendRules?
    /// The limits that do not apply to loopback and private addresses.
    let localExemption: LimitExemption
    /// Whether only invited phone numbers become users (`newUsers.phone: invited`). No response may reveal which ones are invited.
    var isClosed = false

    init(
        dialect: String = Dialect.native, otp: OTPPolicy, countries: CountryRule = CountryRule(),
        defaultRegion: String? = nil, texts: SMSTexts? = nil, spend: SpendRules? = nil,
        environment: DeploymentEnvironment = .production,
        localExemption: LimitExemption = .none
    ) {
        self.dialect = dialect
        self.environment = environment
        self.otp = otp
        self.countries = countries
        self.defaultRegion = defaultRegion
        self.texts = texts ?? SMSTexts(otp: otp)
        self.spend = spend
        self.localExemption = localExemption
    }

    init(
        of dialect: Dialect, in policy: Policy, catalog: MessageCatalog, environment: DeploymentEnvironment,
        localExemption: LimitExemption, spend: SpendRules? = nil
    ) {
        self.init(
            dialect: dialect.name, otp: dialect.otp, countries: policy.countries, defaultRegion: dialect.defaultRegion,
            texts: SMSTexts(policy, otp: dialect.otp, catalog: catalog), spend: spend, environment: environment,
            localExemption: localExemption)
        isClosed = policy.isClosedToPhones
        for purpose in Purpose.allCases where purpose != .deletion || policy.deletion.page {
            ownTexts[purpose] = SMSTexts(purpose.texts, of: policy, otp: dialect.otp, catalog: catalog)
        }
    }

    /// Returns the phone number that all spellings of `text` represent, or `nil` if it is not one.
    func phone(_ text: String, region: String?) -> PhoneNumber? {
        do { return try requestedPhone(text, region: region) } catch { return nil }
    }

    /// Reads the phone number of a client's request, and blames the region if that is invalid.
    ///
    /// - Throws: `InvalidInput` for a national number whose region does not exist.
    func requestedPhone(_ text: String, region: String?) throws(InvalidInput) -> PhoneNumber? {
        do throws(PhoneNumberProblem) {
            return try PhoneNumber(parsing: text, region: region ?? defaultRegion)
        } catch {
            guard error == .unknownRegion, region != nil else { return nil }
            throw InvalidInput(member: "region")
        }
    }

    /// Returns the possible lengths of right codes for a recipient at `now` (Unix seconds), if no provider makes them.
    func codeLengths(for phone: PhoneNumber?, now: Int64) -> [ClosedRange<Int>] {
        let fixed = phone.flatMap { fixedCode($0, now: now) }?.utf8.count
        return [otp.length...otp.length] + (fixed.map { [$0...$0] } ?? [])
    }

    /// Returns the fixed code of a phone number at `now` (Unix seconds), to which nothing is sent, or `nil` if it has none.
    func fixedCode(_ phone: PhoneNumber, now: Int64) -> String? {
        otp.fixedCode(e164: phone.e164, now: now, in: environment)
    }

    /// Returns the limits that do not apply to a client at `address`.
    func exemption(of address: IPAddress) -> LimitExemption { address.isLoopbackOrPrivate ? localExemption : .none }
}
