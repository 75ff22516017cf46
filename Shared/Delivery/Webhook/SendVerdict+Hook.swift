import ServiceCalls
import StrictJSON

extension SendVerdict {
    /// Returns the meaning of a response to a hook (integration guide 1.5). The status comes first; a body can turn success
    /// into failure, never the reverse.
    ///
    /// - Parameter id: The message's id, since hooks return none of their own.
    static func ofHook(_ answer: ProviderAnswer, id: String) -> SendVerdict {
        switch answer.status {
        case 204: .accepted(id: id)
        case 200, 202: ofHookBody(answer, id: id)
        // Without `Retry-After` the receiver does not request another attempt.
        case 429, 503: answer.retryAfterSeconds == nil ? .failed(.throttled) : .retry(after: answer, .throttled)
        default: .failed(.refused)
        }
    }

    private static func ofHookBody(_ answer: ProviderAnswer, id: String) -> SendVerdict {
        let mediaType = answer.headers["content-type"]?.prefix { $0 != ";" }.filter { $0 != " " }
        guard mediaType?.lowercased() == "application/json" else { return .failed(.badAnswer) }
        guard !answer.body.isEmpty else { return .accepted(id: id) }
        do {
            let reply = try StrictJSON.decode(HookReply.self, from: answer.body, limits: .own)
            guard let error = reply.error else { return .accepted(id: id) }
            return .failed(error.httpCode == 429 ? .throttled : .refused)
        } catch {
            return .failed(.badAnswer)
        }
    }
}

/// `{}` or `{"error":{"http_code":429,"message":"…"}}`.
private struct HookReply: Decodable {
    struct Failure: Decodable {
        let httpCode: Int?

        enum CodingKeys: String, CodingKey { case httpCode = "http_code" }
    }

    let error: Failure?
}
