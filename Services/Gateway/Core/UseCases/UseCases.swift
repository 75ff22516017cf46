/// What the gateway can do for a client, for every dialect alike.
struct UseCases: Sendable {
    let requestCode: RequestCode
    let signIn: SignInByCode
    let requestMail: RequestMail
    let signInByMail: SignInByMail
    let takeMailWebhook: TakeMailWebhook
    let refresh: RefreshSession
    let logOut: LogOut
    let profile: OwnProfile
    let sessions: OwnSessions
    let clientTokens: ClientTokens
    let keys: PublishedKeys

    init(_ services: BackendServices, access: EdgeGuard, keys: PublishedKeys) {
        let signedInUser = SignedInUser(access: access)
        requestCode = RequestCode(otp: services.otp, signedInUser: signedInUser)
        let open = OpenSession(services: services)
        signIn = SignInByCode(otp: services.otp, signedInUser: signedInUser, open: open)
        requestMail = RequestMail(otp: services.otp)
        signInByMail = SignInByMail(otp: services.otp, open: open)
        takeMailWebhook = TakeMailWebhook(otp: services.otp)
        refresh = RefreshSession(token: services.token)
        logOut = LogOut(token: services.token)
        profile = OwnProfile(user: services.user)
        sessions = OwnSessions(token: services.token)
        clientTokens = ClientTokens(token: services.token)
        self.keys = keys
    }
}
