import InternalAPI
import RedisClient
import ServiceHTTP

/// The service's use cases, built once; tests build the same ones.
struct OTPWiring: Sendable {
    /// The codes to phones; `nil` if there are none.
    let phoneCodes: PhoneCodes?
    /// The sign-in mails; `nil` if there are none.
    let mailCodes: MailCodes?
    /// The mails about accounts; `nil` if no mail is sent.
    let notices: Notices?
    let forgetNetworks: ForgetNetworks
    let manageReviews: ManageReviews
    let readTrace: ReadTrace
    let exportMessages: ExportMessages
    let noteOperator: NoteOperator
    /// The report of costs; `nil` if nothing bounds the costs of messages.
    let reportSpending: ReportSpending?
    /// The store that counts everything for which no dialect has its own rules.
    let store: RedisChallengeStore

    /// - Parameter dialects: the dialects with codes to phones.
    init(
        phoneCodes: PhoneCodes?, mailCodes: MailCodes? = nil, notices: Notices? = nil, dialects: [PhoneCodes.Dialect],
        store: RedisChallengeStore, redis: RedisClient, reportSpending: ReportSpending? = nil, _ parts: CodeParts
    ) {
        (self.phoneCodes, self.mailCodes, self.notices) = (phoneCodes, mailCodes, notices)
        (self.reportSpending, self.store) = (reportSpending, store)
        forgetNetworks = ForgetNetworks(secrets: parts.secrets, store: store, now: parts.now)
        manageReviews = ManageReviews(
            rules: dialects.map(\.rules), store: store, secrets: parts.secrets, now: parts.now, random: parts.random)
        noteOperator = NoteOperator(redis: redis, now: parts.now)
        readTrace = ReadTrace(
            redis: redis, secrets: parts.secrets, now: parts.now)
        exportMessages = ExportMessages(readTrace: readTrace, mail: notices?.manage)
    }

    /// Adds the service's routes.
    func add(to routes: inout ServiceRoutes) {
        PhoneCodes.add(phoneCodes, to: &routes)
        MailCodes.add(mailCodes, to: &routes)
        Notices.add(notices, to: &routes)
        ReviewRoutes(manage: manageReviews, note: noteOperator).add(to: &routes)
        addSupport(to: &routes)
    }

    private func addSupport(to routes: inout ServiceRoutes) {
        routes.answer(OTPOperations.forgetNetworks) {
            try await forgetNetworks($0)
            return Done()
        }
        // Each email address contains an @, and no phone number does. Without the feature there is no recipient who waits for a notice.
        routes.serve(OTPOperations.sendNotice) { notice in
            guard notice.to.contains("@") else { return try await phoneCodes?.sendNotice?(notice) ?? .answer(Done()) }
            return try await notices?.send(notice) ?? .answer(Done())
        }
        routes.answer(OTPOperations.noticeRecipients) { request in
            var reached: [String] = []
            for recipient in request.to where try await isReached(recipient) { reached.append(recipient) }
            return NoticeRecipients(to: reached)
        }
        routes.answer(OTPOperations.sendTest) { request in
            guard request.to.contains("@") else {
                return try await phoneCodes?.sendTestMessage(request) ?? TestMailAnswer()
            }
            return try await notices?.manage.sendTest(request) ?? TestMailAnswer()
        }
        routes.answer(OTPOperations.clearAddress) {
            guard $0.to.contains("@") else {
                return try await phoneCodes?.clearNumber($0, noting: noteOperator) ?? ClearedAddress(wasBarred: false)
            }
            return try await notices?.manage.clear($0, noting: noteOperator) ?? ClearedAddress(wasBarred: false)
        }
        routes.answer(OTPOperations.unlock) {
            try await phoneCodes?.unlockNumber($0) ?? UnlockedNumber(wasLocked: false)
        }
        routes.answer(OTPOperations.trace) { try await readTrace($0) }
        routes.answer(OTPOperations.export) { try await exportMessages($0) }
        routes.answer(OTPOperations.guardReport) { try await reportSpending?($0) ?? GuardReport() }
    }

    /// Whether a notice reaches an email address or a phone number, as far as it is known before one is sent.
    private func isReached(_ recipient: String) async throws -> Bool {
        guard recipient.contains("@") else { return phoneCodes?.sendNotice?.reaches(recipient) ?? false }
        do {
            let standing = try await notices?.manage.standing(MailAddressRequest(to: recipient))
            return standing.map { $0.block != .undeliverable } ?? false
        } catch is InvalidInput { return false }
    }
}
