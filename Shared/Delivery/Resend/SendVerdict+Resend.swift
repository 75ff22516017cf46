import StrictJSON

extension SendVerdict {
    /// What Resend's answer to a send means (integration guide 2.1).
    ///
    /// Tried again are a repeat that meets its first call, the rate limit, and what is Resend's own fault; everything else
    /// has to be mended by the operator.
    static func ofResend(_ answer: ProviderAnswer) -> SendVerdict {
        do {
            if answer.status == 200 {
                return .accepted(id: try StrictJSON.decode(Sent.self, from: answer.body, limits: .own).id)
            }
            if answer.status >= 500 { return .retry(after: answer, .throttled) }
            switch try StrictJSON.decode(Fault.self, from: answer.body, limits: .own).name {
            case "concurrent_idempotent_requests", "rate_limit_exceeded": return .retry(after: answer, .throttled)
            // Used up for hours: another try does not help.
            case "daily_quota_exceeded", "monthly_quota_exceeded": return .failed(.throttled)
            default: return .failed(.refused)
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
    }
}
