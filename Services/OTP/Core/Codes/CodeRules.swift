internal import PhoneNumbers
internal import Policies

/// What the policy says about one-time codes.
struct CodeRules: Sendable {
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
        otp: OTPPolicy, countries: CountryRule = CountryRule(), defaultRegion: String? = nil, appDomain: String? = nil,
        localExemption: LimitExemption = .none
    ) {
        self.otp = otp
        self.countries = countries
        self.defaultRegion = defaultRegion
        self.appDomain = appDomain
        self.localExemption = localExemption
        messageParts = otp.messageParts
    }

    init(_ policy: Policy, localExemption: LimitExemption) {
        self.init(
            otp: policy.otp, countries: policy.countries, defaultRegion: policy.defaultRegion,
            appDomain: policy.messages.appDomain, localExemption: localExemption)
    }

    /// The number that all spellings of `text` mean; nil when it is none.
    func phone(_ text: String, region: String?) -> PhoneNumber? {
        do throws(PhoneNumberProblem) {
            return try PhoneNumber(parsing: text, region: region ?? defaultRegion)
        } catch {
            return nil
        }
    }

    /// Which limits do not hold for a caller at `address`.
    func exemption(of address: IPAddress) -> LimitExemption { address.isLoopbackOrPrivate ? localExemption : .none }

    /// The message's text; with a domain its last line binds the code to it (WICG sms-one-time-codes, R-59).
    func message(code: String) -> String {
        let text = messageParts.joined(separator: code)
        return appDomain.map { "\(text)\n\n@\($0) #\(code)" } ?? text
    }
}
