import Policies
import RedisClient
import ServiceKit

/// The rules by which codes are counted, and a store for each.
struct CodeStores {
    /// The budgets of messages; `nil` if nothing bounds their cost.
    let spend: SpendPolicy?
    /// The store that counts everything for which no dialect has its own rules.
    var shared: RedisChallengeStore { phoneStore(context.policy.otp) }

    private let context: ProcessContext
    private let redis: RedisClient

    init(_ context: ProcessContext, _ redis: RedisClient, spend: SpendPolicy?) {
        (self.context, self.redis, self.spend) = (context, redis, spend)
    }

    /// Returns the dialects with codes to phones, or none if no codes are sent there.
    func dialects() throws -> [PhoneCodes.Dialect] {
        let catalog = try context.messageCatalog()
        return context.policy.codeDialects.map { dialect in
            let rules = CodeRules(
                of: dialect, in: context.policy, catalog: catalog, environment: context.settings.environment,
                localExemption: localExemption, spend: spend.map { SpendRules(policy: $0) })
            return PhoneCodes.Dialect(rules: rules, store: phoneStore(dialect.otp))
        }
    }

    /// Returns the rules of codes by mail.
    func rules(of email: EmailPolicy) -> CodeRules {
        CodeRules(
            otp: email.codes, environment: context.settings.environment, localExemption: localExemption)
    }

    /// Returns a store for codes that cost nothing.
    func store(_ otp: OTPPolicy) -> RedisChallengeStore {
        RedisChallengeStore(redis: redis, scripts: CodeScripts(otp, among: context.policy.codePolicies))
    }

    private func phoneStore(_ otp: OTPPolicy) -> RedisChallengeStore {
        RedisChallengeStore(
            redis: redis,
            scripts: CodeScripts(
                otp, among: context.policy.codePolicies, spend: spend, isClosed: context.policy.isClosedToPhones))
    }

    /// The limits that do not apply to local addresses. Limits do not delay tests on one machine. In uat only the limits by IP
    /// address are lifted, because they cannot distinguish testers.
    private var localExemption: LimitExemption {
        if context.settings.limitsLocalAddresses { return .none }
        return context.settings.environment == .development ? .all : .byAddress
    }
}

extension Policy {
    /// All rules by which codes are checked. Every count is remembered as long as any of them needs it.
    fileprivate var codePolicies: [OTPPolicy] { [otp] + codeDialects.map(\.otp) + (email.map { [$0.codes] } ?? []) }

    /// The dialects in which codes are requested.
    fileprivate var codeDialects: [Dialect] { sendsCodes ? dialects.filter { ChallengePlace.isIn($0.name) } : [] }
}
