import ServiceKit

/// All that the gateway can do for a client, equal for every dialect.
///
/// It is a class, because the router is copied several times for each request, and this would be most of it.
final class UseCases: Sendable {
    let requestCode: RequestCode
    let signIn: SignInByCode
    let requestMail: RequestMail
    let signInByMail: SignInByMail
    let signInByIdentityToken: SignInByIdentityToken
    let signInByPhoneToken: SignInByPhoneToken
    let signInInBrowser: SignInInBrowser
    let signInByPasskey: SignInByPasskey
    let passkeys: OwnPasskeys
    let signInBySecondFactor: SignInBySecondFactor
    let secondFactor: OwnSecondFactor
    let restoreAccount: RestoreAccount
    let takeCallback: TakeCallback
    let accounts: PasswordAccounts
    let signInByPassword: SignInByPassword
    let signInByAccountMail: SignInByAccountMail
    let refresh: RefreshSession
    let exchangePrevious: ExchangePrevious
    let logOut: LogOut
    let profile: OwnProfile
    let sessions: OwnSessions
    let reauthentication: Reauthentication
    let identities: ChangeIdentities
    let deleteByCode: DeleteByCode
    let listUsers: ListUsers
    let administration: AdministerUsers
    let clientTokens: ClientTokens
    let tokenForClient: TokenForClient
    let keys: PublishedKeys

    /// - Parameters:
    ///   - asksGuestList: whether codes go only to users and invited people.
    ///   - process: this process, with the policy in effect.
    init(
        _ services: BackendServices, access: EdgeGuard, keys: PublishedKeys, asksGuestList: Bool,
        process: ProcessContext
    ) {
        let signedInUser = SignedInUser(access: access)
        requestCode = RequestCode(
            otp: services.otp, guestList: asksGuestList ? services.user : nil, users: services.user,
            signedInUser: signedInUser)
        let open = OpenSession(services: services)
        signIn = SignInByCode(otp: services.otp, signedInUser: signedInUser, open: open)
        requestMail = RequestMail(otp: services.otp, users: services.user)
        signInByMail = SignInByMail(otp: services.otp, open: open)
        signInByIdentityToken = SignInByIdentityToken(user: services.user, open: open)
        signInByPhoneToken = SignInByPhoneToken(user: services.user, signedInUser: signedInUser, open: open)
        signInInBrowser = SignInInBrowser(user: services.user, open: open)
        signInByPasskey = SignInByPasskey(user: services.user, open: open)
        passkeys = OwnPasskeys(user: services.user, signedInUser: signedInUser)
        signInBySecondFactor = SignInBySecondFactor(user: services.user, open: open)
        secondFactor = OwnSecondFactor(user: services.user)
        restoreAccount = RestoreAccount(open: open)
        takeCallback = TakeCallback(otp: services.otp, user: services.user)
        accounts = PasswordAccounts(user: services.user, signedInUser: signedInUser)
        signInByPassword = SignInByPassword(user: services.user, open: open)
        signInByAccountMail = SignInByAccountMail(user: services.user, open: open)
        refresh = RefreshSession(token: services.token, user: services.user)
        exchangePrevious = ExchangePrevious(services: services)
        logOut = LogOut(token: services.token, signedInUser: signedInUser)
        profile = OwnProfile(user: services.user)
        sessions = OwnSessions(token: services.token)
        reauthentication = Reauthentication(
            user: services.user, token: services.token, signedInUser: signedInUser)
        identities = ChangeIdentities(
            user: services.user, requestCode: requestCode, requestMail: requestMail, signedInUser: signedInUser)
        deleteByCode = DeleteByCode(
            otp: services.otp, user: services.user, requestCode: requestCode, requestMail: requestMail)
        listUsers = ListUsers(user: services.user)
        administration = AdministerUsers(user: services.user, process: process)
        clientTokens = ClientTokens(token: services.token)
        tokenForClient = TokenForClient(user: services.user, token: services.token)
        self.keys = keys
    }
}
