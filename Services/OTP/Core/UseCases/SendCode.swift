import CallDeadlines
import CryptoPrimitives
import Delivery
import InternalAPI
import Logging
import Policies

/// A wish that a code goes to somebody, once it is known who that is.
struct CodeOrder: Sendable {
    let recipient: Recipient
    let purpose: Purpose
    /// The client's address.
    let address: String
    let isVouchedFor: Bool
    let callID: String
    /// What makes two calls the same beside recipient and place.
    let asking: [String]
    let locale: String?
    /// The code that this recipient always has, so that nothing is sent.
    var fixedCode: String?
    /// Nothing is sent, and it takes as long as if it were.
    var isSilent = false
    /// Words the message.
    let write: @Sendable (String, ChallengeSeed) throws -> Message.Content
}

/// Sends a one-time code: limits, challenge, message, in this order.
///
/// Everything is decided and counted before anything is sent: no counter, no message.
struct SendCode: Sendable {
    let terms: CallTerms
    let store: any ChallengeStore
    /// Whether the store has room for another challenge.
    let hasRoom: @Sendable () -> Bool
    let sender: any MessageSender
    /// How long sends take.
    var pace = SendPace()
    let logger: Logger
    let now: @Sendable () -> Int64
    /// So many random bytes.
    let random: @Sendable (Int) -> [UInt8]

    /// Tells callers when to come back while the store is nearly full: entries end with each minute.
    private static let fullRetryAfterSeconds: Int64 = 60

    /// - Throws: `InvalidCall`; `ChallengeStoreFailure`, after which nothing is sent.
    func callAsFunction(_ order: CodeOrder) async throws -> OTPRequestAnswer {
        guard hasRoom() else {
            throw ChallengeStoreFailure(
                "nearly full, the rest is kept for revocations", retryAfterSeconds: Self.fullRetryAfterSeconds)
        }
        var review: ReviewSeed?
        for _ in 0..<Self.triesMax {
            let send = try attempt(order, under: review)
            let verdict = try await store.admit(send)
            guard case .underReview(let other) = verdict else { return try await answer(order, send, verdict: verdict) }
            review = other
        }
        throw ChallengeStoreFailure("the number's review access changes all the time")
    }

    /// Once as nearly always, once as the store says that it is, and once more if an operator was faster.
    private static let triesMax = 3

    /// The attempt as the store judges it, with the challenge that it may open.
    private func attempt(_ order: CodeOrder, under review: ReviewSeed?) throws -> SendAttempt {
        let now = self.now()
        let place = try terms.place(of: order.purpose)
        let call = CallTerms.Call(
            place: place, address: order.address, isVouchedFor: order.isVouchedFor, callID: order.callID,
            asking: order.asking, now: now)
        let challenge = ChallengeSeed(created: now, salt: random(ChallengeSeed.saltByteCount))
        let code = review.map { reviewCode($0, order) } ?? code(of: challenge, order, place)
        return SendAttempt(
            subject: try terms.subject(ofSend: call, to: order.recipient), challenge: challenge,
            proof: terms.secrets.proof(code: code, recipient: order.recipient.key, place: place.name), review: review)
    }

    private func answer(
        _ order: CodeOrder, _ send: SendAttempt, verdict: SendVerdict
    ) async throws -> OTPRequestAnswer {
        switch verdict {
        case .limited(let rule, let seconds):
            OTPMetrics.limited(by: rule, route: OTPOperations.request.path)
            return OTPRequestAnswer(.rateLimited, retryAfterSeconds: seconds)
        case .repeated(let failed):
            return OTPRequestAnswer(failed ? .providerError : .sent)
        case .send where order.fixedCode != nil || send.review != nil:
            return OTPRequestAnswer(.suppressed)
        case .send where order.isSilent:
            try await pace.wait()
            return OTPRequestAnswer(.sent)
        case .underReview:
            throw ChallengeStoreFailure("a review access was left out of account")
        case .send(let challenge):
            return OTPRequestAnswer(try await deliver(challenge, order, send))
        }
    }

    /// Sends the message; a failure is noted for a repeat of the call, and the send stays counted.
    private func deliver(
        _ challenge: ChallengeSeed, _ order: CodeOrder, _ send: SendAttempt
    ) async throws -> OTPRequestResult {
        let content = try order.write(code(of: challenge, order, send.subject.place), challenge)
        let message = Message(
            id: UUIDText.text(of: random(16)), channel: order.recipient.channel, recipient: order.recipient.destination,
            content: content, locale: order.locale, clientAddress: order.address)
        do throws(DeliveryFailure) {
            // Nobody waits any more: this message would come beside the one that a repeat asks for.
            guard CallDeadline.current?.hasPassed != true else { throw .unreachable }
            let start = ContinuousClock.now
            _ = try await sender.send(message)
            pace.note(ContinuousClock.now - start)
            return .sent
        } catch {
            logger.error(
                "otp.send.failed",
                metadata: [
                    "provider": "\(sender.provider)", "failure": "\(error.rawValue)", "message.id": "\(message.id)",
                ])
            await noteFailure(of: send)
            return error == .undeliverable ? .undeliverable : .providerError
        }
    }

    private func noteFailure(of send: SendAttempt) async {
        do throws(ChallengeStoreFailure) {
            try await store.noteFailedSend(send)
        } catch {
            logger.warning("otp.send.failure.unnoted", metadata: ["cause": "\(error)"])
        }
    }

    private func reviewCode(_ review: ReviewSeed, _ order: CodeOrder) -> String {
        terms.secrets.code(of: review, recipient: order.recipient.key, digitCount: terms.rules.otp.length)
    }

    private func code(of challenge: ChallengeSeed, _ order: CodeOrder, _ place: ChallengePlace) -> String {
        order.fixedCode
            ?? terms.secrets.code(
                of: challenge, recipient: order.recipient.key, place: place.name, digitCount: terms.rules.otp.length)
    }
}
