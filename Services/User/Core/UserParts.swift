import CryptoPrimitives
import InternalAPI
import Logging
import Policies
import ServiceKit

/// What the use cases are made of; the routes make each where they offer it.
struct UserParts: Sendable {
    let users: any UserStore
    let support: any SupportStore
    let removals: any RemovalStore
    let authentication: BearerAuthentication
    let courier: OutboxCourier
    /// Nil where the policy has no mail.
    let notices: AccountNotices?
    let outbox: any OutboxSupportStore
    let tokenService: ServiceClient
    let attestationKeys: KeyRing
    let grantKeys: KeyRing
    let userIDPrefix: String
    let attributes: AttributeRules
    let deletion: DeletionPolicy
    /// Where a number without a country's code is from.
    let defaultRegion: String?
    /// Unix time in seconds.
    let now: @Sendable () -> Int64
    let logger: Logger
}

extension UserParts {
    /// Reads the secrets `attestation_otp_user` and `grant_user_token`.
    init(
        _ context: ProcessContext, _ storage: UserStorage, courier: OutboxCourier, tokenService: ServiceClient,
        keys: TokenKeyCache, now: @escaping @Sendable () -> Int64
    ) throws {
        let (policy, secrets) = (context.policy, context.settings.secrets)
        self.init(
            users: storage.users, support: storage.support, removals: storage.removals,
            authentication: BearerAuthentication(
                issuer: policy.issuer, audience: policy.audience, leewaySeconds: policy.signing.leewaySeconds,
                userIDPrefix: policy.userIDPrefix, keys: keys, now: now),
            courier: courier, notices: policy.email == nil ? nil : AccountNotices(seal: courier.seal),
            outbox: storage.outboxSupport, tokenService: tokenService,
            attestationKeys: try secrets.keyRing("attestation_otp_user"),
            grantKeys: try secrets.keyRing("grant_user_token"), userIDPrefix: policy.userIDPrefix,
            attributes: AttributeRules(declared: policy.attributes), deletion: policy.deletion,
            defaultRegion: policy.defaultRegion, now: now, logger: context.logger)
    }

    var deleteAccount: DeleteAccount {
        DeleteAccount(
            store: users, courier: courier, userIDPrefix: userIDPrefix, graceDays: deletion.graceDays,
            notices: notices, now: now)
    }
}
