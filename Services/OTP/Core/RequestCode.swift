internal import CryptoPrimitives
internal import Delivery
internal import InternalAPI
internal import Logging
internal import PhoneNumbers
internal import Policies

/// Sends a one-time code: canonical number, country, limits, challenge, message, in this order.
///
/// Everything is decided and counted before anything is sent: no counter, no SMS.
struct RequestCode: Sendable {
    let terms: CallTerms
    let store: any ChallengeStore
    let sender: any CodeSender
    let logger: Logger
    let clock: @Sendable () -> Int64
    /// So many random bytes.
    let random: @Sendable (Int) -> [UInt8]

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
        let send = try attempt(request, phone)
        let answer = try await answer(request, phone, send, verdict: try await store.admit(send))
        return counted(answer, phone: phone)
    }

    /// The attempt as the store judges it, with the challenge that it may open.
    private func attempt(_ request: OTPRequest, _ phone: PhoneNumber) throws -> SendAttempt {
        let challengeID = Hex.encode(random(16))
        let subject = try terms.subject(
            phone: phone, purpose: request.purpose, address: request.address, asking: ["request"],
            callID: request.callID, now: clock())
        let code = code(of: challengeID, phone)
        let proof = terms.secrets.proof(code: code, phone: phone.e164, purpose: request.purpose.rawValue)
        return SendAttempt(subject: subject, challengeID: challengeID, proof: proof)
    }

    private func answer(
        _ request: OTPRequest, _ phone: PhoneNumber, _ send: SendAttempt, verdict: SendVerdict
    ) async throws -> OTPRequestAnswer {
        switch verdict {
        case .limited(let rule, let seconds):
            OTPMetrics.limited(by: rule, route: OTPContract.requestPath)
            return OTPRequestAnswer(.rateLimited, retryAfterSeconds: seconds)
        case .repeated(let failed):
            return OTPRequestAnswer(failed ? .providerError : .sent)
        case .send where terms.rules.otp.fixedCode != nil:
            return OTPRequestAnswer(.suppressed)
        case .send(let challengeID):
            return OTPRequestAnswer(await deliver(challengeID, request, phone, send) ? .sent : .providerError)
        }
    }

    /// Sends the message; a failure is noted for a repeat of the call, and the send stays counted.
    private func deliver(
        _ challengeID: String, _ request: OTPRequest, _ phone: PhoneNumber, _ send: SendAttempt
    ) async -> Bool {
        let code = code(of: challengeID, phone)
        let message = CodeMessage(
            id: messageID(), channel: CallTerms.channel, phone: phone.e164, text: terms.rules.message(code: code),
            code: code, locale: request.locale, clientAddress: request.address)
        do throws(DeliveryFailure) {
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

    private func code(of challengeID: String, _ phone: PhoneNumber) -> String {
        let otp = terms.rules.otp
        return otp.fixedCode
            ?? terms.secrets.code(challengeID: challengeID, phone: phone.e164, digitCount: otp.length)
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
