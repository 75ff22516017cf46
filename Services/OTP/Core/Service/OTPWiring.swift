import InternalAPI
import RedisClient
import ServiceHTTP

/// The service's use cases, built once; tests build the same ones.
struct OTPWiring: Sendable {
    /// `nil` if no codes go to phones.
    let phoneCodes: PhoneCodes?
    /// `nil` if no sign-in mails go out.
    let mailCodes: MailCodes?
    /// `nil` if no mail goes out.
    let notices: Notices?
    let forgetNetworks: ForgetNetworks
    let tendReviews: TendReviews
    let readTrace: ReadTrace
    /// `nil` if nothing bounds the costs of messages.
    let reportSpending: ReportSpending?
    /// Counts everything that no dialect has rules of its own for.
    let store: RedisChallengeStore

    /// - Parameter dialects: those with codes to phones.
    init(
        phoneCodes: PhoneCodes?, mailCodes: MailCodes? = nil, notices: Notices? = nil, dialects: [PhoneCodes.Dialect],
        store: RedisChallengeStore, redis: RedisClient, reportSpending: ReportSpending? = nil, _ parts: CodeParts
    ) {
        (self.phoneCodes, self.mailCodes, self.notices) = (phoneCodes, mailCodes, notices)
        (self.reportSpending, self.store) = (reportSpending, store)
        forgetNetworks = ForgetNetworks(secrets: parts.secrets, store: store, now: parts.now)
        tendReviews = TendReviews(
            rules: dialects.map(\.rules), store: store, secrets: parts.secrets, now: parts.now, random: parts.random)
        readTrace = ReadTrace(
            redis: redis, script: store.scripts.readTrace, secrets: parts.secrets, now: parts.now)
    }

    /// The service's routes.
    func add(to routes: inout ServiceRoutes) {
        PhoneCodes.add(phoneCodes, to: &routes)
        MailCodes.add(mailCodes, to: &routes)
        Notices.add(notices, to: &routes)
        ReviewRoutes(tend: tendReviews).add(to: &routes)
        addSupport(to: &routes)
    }

    private func addSupport(to routes: inout ServiceRoutes) {
        routes.answer(OTPOperations.forgetNetworks) {
            try await forgetNetworks($0)
            return Done()
        }
        // Each address has an @, and no number has one.
        routes.answer(OTPOperations.sendTest) { request in
            guard request.to.contains("@") else {
                return try await phoneCodes?.sendTestMessage(request) ?? TestMailAnswer()
            }
            return try await notices?.tend.sendTest(request) ?? TestMailAnswer()
        }
        routes.answer(OTPOperations.clearAddress) {
            guard $0.to.contains("@") else {
                return try await phoneCodes?.clearNumber($0) ?? ClearedAddress(wasBarred: false)
            }
            return try await notices?.tend.clear($0) ?? ClearedAddress(wasBarred: false)
        }
        routes.answer(OTPOperations.trace) { try await readTrace($0) }
        routes.answer(OTPOperations.guardReport) { try await reportSpending?($0) ?? GuardReport() }
    }
}
