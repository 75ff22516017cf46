import StrictJSON

/// What an answer to a hook means (integration guide 1.5).
enum HookVerdict: Equatable {
    case accepted
    /// To be tried again after this many seconds at least.
    case retry(afterSeconds: Int64, DeliveryFailure)
    case failed(DeliveryFailure)

    /// Longer waits than this are all the same: too long.
    private static let retryAfterSecondsMax: Int64 = 3600

    /// Judges by status first; a body can turn success into failure, never the other way round.
    static func judge(_ answer: HookAnswer) -> HookVerdict {
        switch answer.status {
        case 204: .accepted
        case 200, 202: judgeBody(of: answer)
        case 429, 503: judgeThrottle(answer)
        default: .failed(.refused)
        }
    }

    private static func judgeBody(of answer: HookAnswer) -> HookVerdict {
        let mediaType = answer.contentType?.split(separator: ";").first?.trimmingSuffix { $0 == " " }
        guard mediaType?.lowercased() == "application/json" else { return .failed(.badAnswer) }
        guard !answer.body.isEmpty else { return .accepted }
        do {
            let reply = try StrictJSON.decode(HookReply.self, from: answer.body, limits: .own)
            guard let error = reply.error else { return .accepted }
            return .failed(error.httpCode == 429 ? .throttled : .refused)
        } catch {
            return .failed(.badAnswer)
        }
    }

    /// Without `Retry-After` the receiver does not ask for another try.
    private static func judgeThrottle(_ answer: HookAnswer) -> HookVerdict {
        guard let text = answer.retryAfter else { return .failed(.throttled) }
        return .retry(afterSeconds: min(max(0, Int64(text) ?? 0), retryAfterSecondsMax), .throttled)
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

extension Substring {
    fileprivate func trimmingSuffix(while predicate: (Character) -> Bool) -> Substring {
        var rest = self
        while let last = rest.last, predicate(last) { rest.removeLast() }
        return rest
    }
}
