import Delivery
import InternalAPI
import PhoneNumbers
import Policies

/// Sends a one-time code to a phone, once its number is canonical and its country allowed.
struct RequestCode: Sendable {
    let send: SendCode

    /// - Throws: `InvalidInput`; `ChallengeStoreFailure`, after which nothing is sent.
    func callAsFunction(_ request: OTPRequest) async throws -> OTPRequestAnswer {
        let channel = request.channel ?? send.line.defaultChannel
        guard send.line.channels.contains(channel) else { return OTPRequestAnswer(.unsupportedChannel) }
        let rules = send.subjects.rules
        if let hash = request.appHash, !rules.texts.knows(hash: hash) { throw InvalidInput(member: "appHash") }
        guard let phone = try rules.requestedPhone(request.phone, region: request.region) else {
            return counted(OTPRequestAnswer(.invalidPhone), channel, nil)
        }
        guard rules.countries.allows(phone) else {
            send.noteNothing(.blockedCountry, channel, .phone(phone))
            return counted(OTPRequestAnswer(.blockedCountry), channel, phone)
        }
        return counted(try await send(order(request, channel, phone)), channel, phone)
    }

    private func order(_ request: OTPRequest, _ channel: String, _ phone: PhoneNumber) -> CodeOrder {
        let rules = send.subjects.rules
        return CodeOrder(
            recipient: .phone(phone), channel: channel, purpose: request.purpose, userID: request.userID,
            address: request.address,
            isVouchedFor: request.signedInPhone.flatMap { rules.phone($0, region: nil) } == phone,
            callID: request.callID, asking: channel == PhoneChannel.sms.rawValue ? ["request"] : ["request", channel],
            locale: request.locale,
            smsLocale: rules.texts.locale(for: request.locale), appHash: request.appHash,
            charge: { rules.spend?.charge(for: phone, channel: $0, now: $1) },
            fixedCode: rules.fixedCode(phone, now: send.now()), isSilent: request.isUnwelcome == true,
            write: { code, _ in
                let texts = rules.ownTexts[request.purpose] ?? rules.texts
                let text = texts.message(code: code, wanted: request.locale, appHash: request.appHash)
                return Message.Content(
                    text: text, plainText: texts.plainMessage(code: code, wanted: request.locale), code: code)
            })
    }

    private func counted(_ answer: OTPRequestAnswer, _ channel: String, _ phone: PhoneNumber?) -> OTPRequestAnswer {
        OTPMetrics.requested(answer.result, by: channel, phone.map { .phone($0) })
        return answer
    }
}
