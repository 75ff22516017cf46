import ServiceCalls
import StrictJSON

extension SendVerdict {
    /// Returns the meaning of Resend's response to a send (integration guide 2.1).
    ///
    /// Retried are a repeat that arrives during its first call, the rate limit, and Resend's own errors; all other failures
    /// have to be fixed by the operator.
    ///
    /// - Parameter recipient: The address that the mail goes to.
    static func ofResend(_ answer: ProviderAnswer, recipient: String) -> SendVerdict {
        do {
            if answer.status == 200 {
                return .accepted(id: try StrictJSON.decode(Sent.self, from: answer.body, limits: .own).id)
            }
            if answer.status >= 500 { return .retry(after: answer, .throttled) }
            let fault = try StrictJSON.decode(Fault.self, from: answer.body, limits: .own)
            func failure(_ reason: DeliveryFailure.Reason) -> DeliveryFailure {
                var failure = DeliveryFailure(reason)
                let text = "\(answer.status) \(fault.name): \(fault.message ?? "")"
                failure.detail = ReplyText.safe(text, without: recipient)
                return failure
            }
            switch fault.name {
            case "concurrent_idempotent_requests", "rate_limit_exceeded":
                return .retry(after: answer, failure(.throttled))
            // Used up for hours: another attempt does not help.
            case "daily_quota_exceeded", "monthly_quota_exceeded": return .failed(failure(.throttled))
            default: return .failed(failure(.refused))
            }
        } catch {
            return .failed(.badAnswer)
        }
    }

    /// `{"id":"49a3999c-…"}`
    private struct Sent: Decodable {
        let id: String
    }

    /// `{"statusCode":422,"message":"…","name":"validation_error"}`
    private struct Fault: Decodable {
        let name: String
        let message: String?
    }
}
