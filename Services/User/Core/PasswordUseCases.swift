import InternalAPI
import Policies

/// The use cases of accounts with a password.
struct PasswordUseCases: Sendable {
    let register: Register
    let confirm: ConfirmRegistration
    let mailLink: MailAccountLink
    let prove: ProvePassword
    let readResetLink: ReadResetLink
    let reset: ResetPassword
    let recover: Recover
    let change: ChangePassword
    let delete: DeleteByPassword
    let createAdmin: CreateAdmin

    init(
        _ parts: AccountParts, grants: SessionGrants, times: SignInTimes, watch: SignInWatch?,
        secondFactor: SecondFactorRule? = nil, delete: DeleteAccount
    ) {
        register = Register(accounts: parts)
        confirm = ConfirmRegistration(accounts: parts)
        mailLink = MailAccountLink(accounts: parts)
        prove = ProvePassword(accounts: parts, grants: grants, times: times, watch: watch, secondFactor: secondFactor)
        readResetLink = ReadResetLink(accounts: parts)
        reset = ResetPassword(accounts: parts)
        recover = Recover(accounts: parts)
        change = ChangePassword(accounts: parts)
        self.delete = DeleteByPassword(accounts: parts, delete: delete)
        createAdmin = CreateAdmin(accounts: parts)
    }
}

extension AccountParts {
    init(policy: Policy, keys: UserKeys, act: AccountAct, check: CheckPassword) {
        self.init(
            passwords: policy.passwords ?? PasswordPolicy(), registration: policy.accounts.registration,
            change: policy.passwordChange, act: act, check: check,
            notices: AccountNotices(seal: act.courier.seal), tags: CallTags(ring: keys.storage),
            takeover: AccountTakeover(userIDPrefix: policy.userIDPrefix), proofKeys: keys.proofs)
    }
}
