import InternalAPI
import PhoneNumbers
import Policies

extension Policy {
    /// Whether only invited phone numbers become users.
    var isClosedToPhones: Bool { accounts.newUsers.phone == .invited }
}

/// What the policy says about the one-time codes of a dialect.
struct CodeRules: Sendable {
    let dialect: String
    let environment: DeploymentEnvironment
    let otp: OTPPolicy
    let countries: CountryRule
    /// The region of national numbers that come without one.
    let defaultRegion: String?
    /// What messages say.
    let texts: SMSTexts
    /// The texts of messages with codes that delete an account; `nil` if there are none.
    var deletionTexts: SMSTexts?
    /// What messages cost; nil: nothing that is guarded.
    let spend: SpendRules?
    /// Which limits do not hold for loopback and private addresses.
    let localExemption: LimitExemption
    /// Whether only invited numbers become users (`newUsers.phone: invited`): no answer may tell which ones are.
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
        deletionTexts = SMSTexts(ofDeletions: policy, otp: dialect.otp, catalog: catalog)
    }

    /// The number that all spellings of `text` mean, or `nil` if it is no number.
    func phone(_ text: String, region: String?) -> PhoneNumber? {
        do { return try requestedPhone(text, region: region) } catch { return nil }
    }

    /// Does the same for a client's request, and blames the region where that is the fault.
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

    /// The lengths of codes that may be right for a recipient at `now` (Unix seconds), where no provider makes them.
    func codeLengths(for phone: PhoneNumber?, now: Int64) -> [ClosedRange<Int>] {
        let fixed = phone.flatMap { fixedCode($0, now: now) }?.utf8.count
        return [otp.length...otp.length] + (fixed.map { [$0...$0] } ?? [])
    }

    /// The code that a number always has at `now` (Unix seconds), so that nothing is sent; nil for all others.
    func fixedCode(_ phone: PhoneNumber, now: Int64) -> String? {
        otp.fixedCode(e164: phone.e164, now: now, in: environment)
    }

    /// Which limits do not hold for a caller at `address`.
    func exemption(of address: IPAddress) -> LimitExemption { address.isLoopbackOrPrivate ? localExemption : .none }
}
