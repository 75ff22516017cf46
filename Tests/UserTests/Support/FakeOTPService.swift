import FoundationEssentials
import InternalAPI
import Synchronization

/// otp-service as user-service sees it: notes whose networks it was told to forget, which mails it was to send and which numbers it
/// was to admit, and is away when told so.
final class FakeOTPService: InternalTransport {
    private let state = Mutex((isAway: false, forgotten: [ForgetNetworksRequest](), notices: [MailNotice]()))
    private let delay = Mutex(Duration.zero)

    /// The confirmed requests.
    var forgotten: [ForgetNetworksRequest] { state.withLock { $0.forgotten } }

    /// The numbers that it was to admit.
    var verified: [VerifiedNumber] { numbers.withLock { $0.verified } }
    private let numbers = Mutex((verified: [VerifiedNumber](), wait: Int64?.none))

    /// For how many seconds numbers are locked, or `nil` for none.
    func setLocked(_ seconds: Int64?) { numbers.withLock { $0.wait = seconds } }

    /// Whether the review access is open of which it is asked.
    func setReviewOpen(_ isOpen: Bool) { reviews.store(isOpen, ordering: .releasing) }
    private let reviews = Atomic<Bool>(true)

    /// Whether mails arrive at no address. Text messages arrive always.
    func setUndeliverable(_ isUndeliverable: Bool) { undeliverable.store(isUndeliverable, ordering: .releasing) }
    private let undeliverable = Atomic<Bool>(false)

    /// Whether no recipient gets a notice, although otp-service expected it.
    func setUnsent(_ isUnsent: Bool) { unsent.store(isUnsent, ordering: .releasing) }
    private let unsent = Atomic<Bool>(false)

    /// The review accesses that it was to give.
    var given: [ReviewAccessRequest] { opened.withLock { $0 } }
    private let opened = Mutex<[ReviewAccessRequest]>([])

    /// Mails that went out.
    var notices: [MailNotice] { state.withLock { $0.notices } }

    /// Codes that it was to send or verify, as the bodies of the requests by their paths.
    var codes: [(path: String, body: [UInt8])] { coded.withLock { $0.calls } }
    private let coded = Mutex((calls: [(path: String, body: [UInt8])](), answer: OTPVerifyAnswer(.wrongCode)))

    /// The answer to the codes that are to be verified.
    func setVerdict(_ answer: OTPVerifyAnswer) { coded.withLock { $0.answer = answer } }

    func setAway(_ isAway: Bool) { state.withLock { $0.isAway = isAway } }

    /// How many calls have come, answered or not.
    var callCount: Int { calls.load(ordering: .acquiring) }
    private let calls = Atomic<Int>(0)

    /// How long it takes for an answer.
    func setDelay(_ delay: Duration) { self.delay.withLock { $0 = delay } }

    func send(_ request: InternalRequest) async throws(ServiceUnavailable) -> InternalResponse {
        calls.add(1, ordering: .releasing)
        do {
            try await Task.sleep(for: delay.withLock { $0 })
            return try state.withLock { state in
                let body = Data(request.body)
                switch request.path {
                case OTPOperations.forgetNetworks.path where !state.isAway:
                    state.forgotten.append(try JSONDecoder().decode(ForgetNetworksRequest.self, from: body))
                case OTPOperations.sendNotice.path where unsent.load(ordering: .acquiring):
                    return .init(status: 422, body: Array(#"{"code":"not_sent"}"#.utf8))
                case OTPOperations.sendNotice.path where !state.isAway:
                    state.notices.append(try JSONDecoder().decode(MailNotice.self, from: body))
                case OTPOperations.admitNumber.path where !state.isAway:
                    let verified = try JSONDecoder().decode(VerifiedNumber.self, from: body)
                    let wait = numbers.withLock { numbers in
                        numbers.verified.append(verified)
                        return numbers.wait
                    }
                    let answer = VerifiedNumberAnswer(retryAfterSeconds: wait)
                    return .init(status: 200, body: Array(try JSONEncoder().encode(answer)))
                case OTPOperations.confirmReview.path where !state.isAway:
                    let standing = ReviewStanding(isOpen: reviews.load(ordering: .acquiring))
                    return .init(status: 200, body: Array(try JSONEncoder().encode(standing)))
                case OTPOperations.openReview.path where !state.isAway:
                    let request = try JSONDecoder().decode(ReviewAccessRequest.self, from: body)
                    opened.withLock { $0.append(request) }
                    guard request.until > 0 else {
                        return .init(status: 422, body: Array(#"{"code":"invalid_end"}"#.utf8))
                    }
                    return .init(status: 200, body: Array(#"{"codes":{"native":"246810"}}"#.utf8))
                case OTPOperations.openReviews.path where !state.isAway:
                    return .init(status: 200, body: Array(#"{"rows":[]}"#.utf8))
                case OTPOperations.endReview.path where !state.isAway:
                    return .init(status: 200, body: Array(#"{"wasOpen":true}"#.utf8))
                case OTPOperations.request.path where !state.isAway, OTPOperations.requestMail.path where !state.isAway:
                    coded.withLock { $0.calls.append((request.path, request.body)) }
                    return .init(status: 200, body: Array(try JSONEncoder().encode(OTPRequestAnswer(.sent))))
                case OTPOperations.verify.path where !state.isAway, OTPOperations.verifyMail.path where !state.isAway:
                    let answer = coded.withLock { coded in
                        coded.calls.append((request.path, request.body))
                        return coded.answer
                    }
                    return .init(status: 200, body: Array(try JSONEncoder().encode(answer)))
                case OTPOperations.mailStanding.path where !state.isAway:
                    let block: MailStanding.Block? = undeliverable.load(ordering: .acquiring) ? .undeliverable : nil
                    return .init(status: 200, body: Array(try JSONEncoder().encode(MailStanding(block: block))))
                case OTPOperations.noticeRecipients.path where !state.isAway:
                    let getsMail = !undeliverable.load(ordering: .acquiring)
                    let all = try JSONDecoder().decode(NoticeRecipients.self, from: body).to
                    let reached = NoticeRecipients(to: all.filter { getsMail || !$0.contains("@") })
                    return .init(status: 200, body: Array(try JSONEncoder().encode(reached)))
                case OTPOperations.export.path where !state.isAway:
                    let recipients = try JSONDecoder().decode(MessagesExportRequest.self, from: body).recipients
                    let messages = recipients.map { recipient in
                        ExportedMessages(
                            to: recipient,
                            events: [1, TestClock.startSeconds].map {
                                .init(at: $0, count: 1, kind: "tried", details: [])
                            })
                    }
                    return .init(
                        status: 200, body: Array(try JSONEncoder().encode(MessagesExportPart(messages: messages))))
                default: return .init(status: 503, body: [])
                }
                return .init(status: 200, body: Array("{}".utf8))
            }
        } catch {
            throw ServiceUnavailable(service: "otp", reason: "\(error)")
        }
    }
}
