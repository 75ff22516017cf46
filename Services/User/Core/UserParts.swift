import CryptoPrimitives
import InternalAPI
import Logging
import Policies
import ServiceKit

/// What the use cases are made of; the routes make each where they offer it.
struct UserParts: Sendable {
    let users: any UserStore
    let queries: any UserQueries
    let authentication: BearerAuthentication
    let courier: OutboxCourier
    /// Nil where the policy has no mail.
    let notices: AccountNotices?
    let outbox: any OutboxStore
    let act: AccountAct
    /// Nil where the policy has no passwords.
    let accounts: AccountParts?
    let signInTimes: SignInTimes
    let tags: CallTags
    let importedIDs: ImportedIDs
    let proofKeys: KeyRing
    let policy: Policy
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
    /// Reads the secrets `attestation_otp_user`, `grant_user_token` and `user_storage_key`.
    init(
        _ context: ProcessContext, _ storage: UserStorage, courier: OutboxCourier, tokenService: ServiceClient,
        keys: TokenKeyCache, act: AccountAct, accounts: AccountParts?, signInTimes: SignInTimes,
        now: @escaping @Sendable () -> Int64
    ) throws {
        let (policy, secrets) = (context.policy, context.settings.secrets)
        let ring = try secrets.keyRing("user_storage_key")
        self.init(
            users: storage.users, queries: storage.queries,
            authentication: BearerAuthentication(
                issuer: policy.issuer, audience: policy.audience, leewaySeconds: policy.signing.leewaySeconds,
                userIDPrefix: policy.userIDPrefix, keys: keys, now: now),
            courier: courier, notices: policy.sendsMail ? AccountNotices(seal: courier.seal) : nil,
            outbox: storage.outbox, act: act, accounts: accounts, signInTimes: signInTimes,
            tags: CallTags(ring: ring), importedIDs: ImportedIDs(ring: ring), proofKeys: try PasswordProof.keys(ring),
            policy: policy, tokenService: tokenService,
            attestationKeys: try secrets.keyRing("attestation_otp_user"),
            grantKeys: try secrets.keyRing("grant_user_token"),
            userIDPrefix: policy.userIDPrefix, attributes: AttributeRules(declared: policy.attributes),
            deletion: policy.deletion, defaultRegion: policy.defaultRegion, now: now, logger: context.logger)
    }

    var grants: SessionGrants {
        SessionGrants(userIDPrefix: userIDPrefix, attributes: attributes, keys: grantKeys)
    }

    var deleteAccount: DeleteAccount {
        DeleteAccount(
            store: users, courier: courier, userIDPrefix: userIDPrefix, graceDays: deletion.graceDays,
            notices: notices, now: now)
    }
}
