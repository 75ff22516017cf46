import EdgeHTTP
import InternalAPI

/// The document's own refusals, in its envelope ("Common Errors"). Every other refusal is the native problem, after which the
/// printed clients keep their tokens, because its `status` is numeric. Gson would read a missing `status` as false.
extension VoltyksDialect {
    func reply(to refusal: Refusal) -> Reply {
        let words = RefusalWords(refusal)
        guard let message = Self.printedMessage(refusal) else { return .problem(words) }
        return .json(VoltyksRefusal(message: message), status: words.status, headers: words.allHeaders)
    }

    private static func printedMessage(_ refusal: Refusal) -> String? {
        switch refusal {
        case .invalidCredentials: "InvalidCredentials"
        case .noRefreshToken: "Refresh token not found"
        case .refreshTokenInvalid(.malformed, _): "Invalid refresh token format"
        case .refreshTokenInvalid: "RefreshTokenMismatch"
        default: nil
        }
    }
}
