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
    /// The domain that messages bind codes to.
    let appDomain: String?
    /// Which limits do not hold for loopback and private addresses.
    let localExemption: LimitExemption
    /// Found once: to look for the placeholder costs more than to write the message.
    private let messageParts: [String]

    init(
        dialect: String = Dialect.native, otp: OTPPolicy, countries: CountryRule = CountryRule(),
        defaultRegion: String? = nil, appDomain: String? = nil, environment: DeploymentEnvironment = .production,
        localExemption: LimitExemption = .none
    ) {
        self.dialect = dialect
        self.environment = environment
        self.otp = otp
        self.countries = countries
        self.defaultRegion = defaultRegion
        self.appDomain = appDomain
        self.localExemption = localExemption
        messageParts = otp.messageParts
    }

    init(
        of dialect: Dialect, in policy: Policy, environment: DeploymentEnvironment, localExemption: LimitExemption
    ) {
        self.init(
            dialect: dialect.name, otp: dialect.otp, countries: policy.countries, defaultRegion: dialect.defaultRegion,
            appDomain: policy.messages.appDomain, environment: environment, localExemption: localExemption)
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

    /// The message's text; with a domain its last line binds the code to it (WICG sms-one-time-codes, R-59).
    func message(code: String) -> String {
        let text = messageParts.joined(separator: code)
        return appDomain.map { "\(text)\n\n@\($0) #\(code)" } ?? text
    }
}
