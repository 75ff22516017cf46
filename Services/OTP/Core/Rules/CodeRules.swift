import PhoneNumbers
import Policies

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
    /// What messages cost; nil: nothing that is guarded.
    let spend: SpendRules?
    /// Which limits do not hold for loopback and private addresses.
    let localExemption: LimitExemption

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
    }

    /// The number that all spellings of `text` mean; nil when it is none.
    func phone(_ text: String, region: String?) -> PhoneNumber? {
        do throws(PhoneNumberProblem) {
            return try PhoneNumber(parsing: text, region: region ?? defaultRegion)
        } catch {
            return nil
        }
    }

    /// The code that a number always has at `now` (Unix seconds), so that nothing is sent; nil for all others.
    func fixedCode(_ phone: PhoneNumber, now: Int64) -> String? {
        otp.fixedCode(e164: phone.e164, now: now, in: environment)
    }

    /// Which limits do not hold for a caller at `address`.
    func exemption(of address: IPAddress) -> LimitExemption { address.isLoopbackOrPrivate ? localExemption : .none }
}
