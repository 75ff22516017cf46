import CallDeadlines
import CryptoPrimitives
import Delivery
import InternalAPI
import Logging
import PhoneNumbers
import Policies

/// Sends a one-time code: canonical number, country, limits, challenge, message, in this order.
///
/// Everything is decided and counted before anything is sent: no counter, no SMS.
struct RequestCode: Sendable {
    let terms: CallTerms
    let store: any ChallengeStore
    /// Whether the store has room for another challenge.
    let hasRoom: @Sendable () -> Bool
    let sender: any CodeSender
    let logger: Logger
    let now: @Sendable () -> Int64
    /// So many random bytes.
    let random: @Sendable (Int) -> [UInt8]

    /// Tells callers when to come back while the store is nearly full: entries end with each minute.
    private static let fullRetryAfterSeconds: Int64 = 60

    /// - Throws: `InvalidCall`; `ChallengeStoreFailure`, after which nothing is sent.
    func callAsFunction(_ request: OTPRequest) async throws -> OTPRequestAnswer {
        guard request.channel == nil || request.channel == CallTerms.channel else {
            throw InvalidCall(member: "channel")
        }
        guard let phone = terms.rules.phone(request.phone, region: request.region) else {
            return counted(OTPRequestAnswer(.invalidPhone), phone: nil)
        }
        guard terms.rules.countries.allows(phone) else {
            return counted(OTPRequestAnswer(.blockedCountry), phone: phone)
        }
        guard hasRoom() else {
            throw ChallengeStoreFailure(
                "nearly full, the rest is kept for revocations", retryAfterSeconds: Self.fullRetryAfterSeconds)
        }
        let send = try attempt(request, phone)
        let answer = try await answer(request, phone, send, verdict: try await store.admit(send))
        return counted(answer, phone: phone)
    }

    /// The attempt as the store judges it, with the challenge that it may open.
    private func attempt(_ request: OTPRequest, _ phone: PhoneNumber) throws -> SendAttempt {
        let now = self.now()
        let place = try terms.place(of: request.purpose)
        let call = CallTerms.Call(
            place: place, address: request.address, signedInPhone: request.signedInPhone,
            callID: request.callID, asking: ["request"], now: now)
        let challenge = ChallengeSeed(created: now, salt: random(ChallengeSeed.saltByteCount))
        let code = code(of: challenge, place, phone)
        return SendAttempt(
            subject: try terms.subject(ofSend: call, to: phone), challenge: challenge,
            proof: terms.secrets.proof(code: code, phone: phone.handset, place: place.name))
    }

    private func answer(
        _ request: OTPRequest, _ phone: PhoneNumber, _ send: SendAttempt, verdict: SendVerdict
    ) async throws -> OTPRequestAnswer {
        switch verdict {
        case .limited(let rule, let seconds):
            OTPMetrics.limited(by: rule, route: OTPOperations.request.path)
            return OTPRequestAnswer(.rateLimited, retryAfterSeconds: seconds)
        case .repeated(let failed):
            return OTPRequestAnswer(failed ? .providerError : .sent)
        case .send where fixedCode(phone) != nil:
            return OTPRequestAnswer(.suppressed)
        case .send(let challenge):
            return OTPRequestAnswer(await deliver(challenge, request, phone, send) ? .sent : .providerError)
        }
    }

    /// Sends the message; a failure is noted for a repeat of the call, and the send stays counted.
    private func deliver(
        _ challenge: ChallengeSeed, _ request: OTPRequest, _ phone: PhoneNumber, _ send: SendAttempt
    ) async -> Bool {
        let code = code(of: challenge, send.subject.place, phone)
        let message = CodeMessage(
            id: messageID(), channel: CallTerms.channel, phone: phone.e164, text: terms.rules.message(code: code),
            code: code, locale: request.locale, clientAddress: request.address)
        do throws(DeliveryFailure) {
            // Nobody waits any more: this message would come beside the one that a repeat asks for.
            guard CallDeadline.current?.hasPassed != true else { throw .unreachable }
            _ = try await sender.send(message)
            return true
        } catch {
            logger.error(
                "otp.send.failed",
                metadata: [
                    "provider": "\(sender.provider)", "failure": "\(error.rawValue)", "message.id": "\(message.id)",
                ])
            await noteFailure(of: send)
            return false
        }
    }

    private func noteFailure(of send: SendAttempt) async {
        do throws(ChallengeStoreFailure) {
            try await store.noteFailedSend(send)
        } catch {
            logger.warning("otp.send.failure.unnoted", metadata: ["cause": "\(error)"])
        }
    }

    private func code(of challenge: ChallengeSeed, _ place: ChallengePlace, _ phone: PhoneNumber) -> String {
        let challengeID = terms.secrets.challengeID(challenge, phone: phone.handset, place: place.name)
        let digitCount = terms.rules.otp.length
        return fixedCode(phone)
            ?? terms.secrets.code(challengeID: challengeID, phone: phone.handset, digitCount: digitCount)
    }

    /// The code that this number always has, so that nothing is sent.
    private func fixedCode(_ phone: PhoneNumber) -> String? {
        terms.rules.fixedCode(phone, now: now())
    }

    /// A random UUID (RFC 9562 §5.4).
    private func messageID() -> String {
        var bytes = random(16)
        for (index, byte) in bytes.enumerated() {
            if index == 6 { bytes[index] = byte & 0x0F | 0x40 }
            if index == 8 { bytes[index] = byte & 0x3F | 0x80 }
        }
        let groups = [0..<4, 4..<6, 6..<8, 8..<10, 10..<16]
        return groups.map { Hex.encode(bytes[$0]) }.joined(separator: "-")
    }

    private func counted(_ answer: OTPRequestAnswer, phone: PhoneNumber?) -> OTPRequestAnswer {
        OTPMetrics.requested(answer.result, phone: phone)
        return answer
    }
}
