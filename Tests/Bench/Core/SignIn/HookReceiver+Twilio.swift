import FoundationEssentials
import ServiceCalls

/// A stand-in for Twilio Messaging that accepts messages and sends no callbacks.
extension HookReceiver {
    private static let account = "AC" + String(repeating: "0123456789abcdef", count: 2)
    static let twilioPath = "/2010-04-01/Accounts/\(account)/Messages.json"
    /// The text of the secret file `twilio_auth_token`, for otp-service.
    package static let twilioToken = String(repeating: "fedcba9876543210", count: 2)
    private static let authorization = "Basic " + Data("\(account):\(twilioToken)".utf8).base64EncodedString()
    private static let taken = Array(
        #"{"sid":"SM0123456789abcdef0123456789abcdef","status":"queued","num_segments":"1"}"#.utf8)
    private static let fieldCountMax = 16

    /// Settings of otp-service by which its messages come here, once `OTP_SENDER` is `twilio-messaging`.
    package static func twilioSettings(port: Int) -> [String: String] {
        [
            "TWILIO_ACCOUNT_SID": account, "TWILIO_API_URL": "http://127.0.0.1:\(port)",
            "TWILIO_FROM": "+15005550006",
        ]
    }

    /// 201 once the code is kept, 400 for what is no message with a code, or not our account's.
    func answerTwilio(_ request: ServedRequest) -> ServedAnswer {
        let form = FormText.decode(String(decoding: request.body, as: UTF8.self), countMax: Self.fieldCountMax) ?? []
        let fields = Dictionary(form) { first, _ in first }
        guard request.headers["authorization"] == Self.authorization, let number = fields["To"],
            let code = Self.code(in: fields["Body"] ?? ""), keep(code, for: String(number.trimmingPrefix("+")))
        else { return refuse(with: 400) }
        return inTime(201, Self.taken)
    }

    /// The first digits of a code's length.
    private static func code(in text: String) -> String? {
        text.split { !$0.isNumber }.first { $0.count == codeLength }.map(String.init)
    }
}
