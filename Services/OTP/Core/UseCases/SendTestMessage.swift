import CryptoPrimitives
import Delivery
import InternalAPI
import PhoneNumbers
import Policies

/// Sends the operator a message as users get it, with a code that is not valid, to show whether it is sent and how it looks.
///
/// It is paid for like any other, from the budgets' part for recognised clients. No other limit counts it.
struct SendTestMessage: Sendable {
    let rules: CodeRules
    let charge: MessageCharge
    let line: SenderLine
    /// Twilio's Service, if a sender uses one.
    let verifications: TwilioVerifications?
    let secrets: CodeSecrets
    /// Unix time in seconds.
    let now: @Sendable () -> Int64
    /// Returns so many random bytes.
    let random: @Sendable (Int) -> [UInt8]

    private static let budgetFailure = "budget"

    /// - Throws: `InvalidInput`; `ChallengeStoreFailure`, after which nothing is sent.
    func callAsFunction(_ request: TestMessageRequest) async throws -> TestMailAnswer {
        let channel = request.channel ?? line.defaultChannel
        guard let way = line.ways(of: channel, for: .code).first, way.channel == channel else {
            throw InvalidInput(member: "channel")
        }
        guard let phone = rules.phone(request.to, region: nil) else { throw InvalidInput(member: "to") }
        let provider = way.sender.provider
        if let problem = await verifyProblem(of: way) {
            return TestMailAnswer(provider: provider, failure: problem.label)
        }
        guard try await charge(phone, channel) else {
            return TestMailAnswer(provider: provider, failure: Self.budgetFailure)
        }
        return await sent(message(to: phone, channel), by: way)
    }

    private func sent(_ message: Message, by way: Way) async -> TestMailAnswer {
        do throws(DeliveryFailure) {
            let id = try await way.sender.send(message)
            if usesVerify(way) { await closeVerification(of: message.recipient) }
            return TestMailAnswer(id: id, provider: way.sender.provider)
        } catch {
            return TestMailAnswer(
                provider: way.sender.provider, failure: error.reason.rawValue, code: error.providerCode,
                detail: error.detail)
        }
    }

    private func message(to phone: PhoneNumber, _ channel: String) -> Message {
        let code = secrets.code(
            challengeID: "test \(Hex.encode(random(16)))", recipient: phone.e164, digitCount: rules.otp.length)
        var message = Message(
            id: UUIDText.random(), channel: channel, recipient: phone.e164,
            content: Message.Content(
                text: rules.texts.message(code: code, wanted: nil, appHash: nil),
                plainText: rules.texts.plainMessage(code: code, wanted: nil), code: code),
            locale: nil, clientAddress: "")
        message.replacesEarlier = true
        return message.on(channel, within: message.limit)
    }

    private func usesVerify(_ way: Way) -> Bool { way.sender.provider.hasPrefix(TwilioVerifySender.provider) }

    private func verifyProblem(of way: Way) async -> TwilioVerifications.Problem? {
        guard usesVerify(way), let verifications else { return nil }
        return await verifications.problem(
            codeLength: rules.otp.length, isManaged: way.sender.provider != TwilioVerifySender.provider,
            within: SendLimits.time)
    }

    /// Closes the verification of the test's code, so that the next sign-in does not send it again.
    private func closeVerification(of number: String) async {
        do throws(DeliveryFailure) {
            try await verifications?.close(number, as: "canceled", within: SendLimits.time)
        } catch {
            // The verification expires within ten minutes anyway.
        }
    }
}
