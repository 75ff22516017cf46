import Delivery
import InternalAPI
import PhoneNumbers
import Policies

/// Sends a one-time code to a phone, once its number is canonical and its country allowed.
struct RequestCode: Sendable {
    static let channel = "sms"

    let send: SendCode

    /// - Throws: `InvalidCall`; `ChallengeStoreFailure`, after which nothing is sent.
    func callAsFunction(_ request: OTPRequest) async throws -> OTPRequestAnswer {
        guard request.channel == nil || request.channel == Self.channel else { throw InvalidCall(member: "channel") }
        let rules = send.terms.rules
        guard let phone = rules.phone(request.phone, region: request.region) else {
            return counted(OTPRequestAnswer(.invalidPhone), nil)
        }
        guard rules.countries.allows(phone) else { return counted(OTPRequestAnswer(.blockedCountry), phone) }
        return counted(try await send(order(request, phone)), phone)
    }

    private func order(_ request: OTPRequest, _ phone: PhoneNumber) -> CodeOrder {
        let rules = send.terms.rules
        return CodeOrder(
            recipient: .phone(phone), purpose: request.purpose, address: request.address,
            isVouchedFor: request.signedInPhone.flatMap { rules.phone($0, region: nil) } == phone,
            callID: request.callID, asking: ["request"], locale: request.locale,
            fixedCode: rules.fixedCode(phone, now: send.now()), isSilent: request.isUnwelcome == true,
            write: { code, _ in Message.Content(text: rules.message(code: code), code: code) })
    }

    private func counted(_ answer: OTPRequestAnswer, _ phone: PhoneNumber?) -> OTPRequestAnswer {
        OTPMetrics.requested(answer.result, by: Self.channel, phone.map { .phone($0) })
        return answer
    }
}
