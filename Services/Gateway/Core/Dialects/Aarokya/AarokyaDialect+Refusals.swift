import EdgeHTTP

/// Refusals with the codes of aarokya's document ("Error Responses"). A refusal that it does not list has our code in capitals.
extension AarokyaDialect {
    private struct Body: Encodable {
        let error: String
        let message: String
    }

    func reply(to refusal: Refusal) -> Reply {
        // For a sign-out without a token the document states that the token is missing, not that the request is invalid.
        let refusal = refusal == .nothingToEnd ? .noAccessToken : refusal
        let words = RefusalWords(refusal, names: ["code": "otp", "phone": "phone"])
        return .json(
            Body(error: Self.printedCode(refusal) ?? words.code.uppercased(), message: words.title),
            status: words.status, headers: words.allHeaders)
    }

    /// Returns the code that the document has for a refusal, or `nil` if it lists none.
    private static func printedCode(_ refusal: Refusal) -> String? {
        switch refusal {
        case .wrongCode: "INVALID_OTP"
        case .codeExpired: "OTP_EXPIRED"
        case .accessTokenExpired, .accessTokenInvalid, .sessionRevoked, .refreshTokenInvalid: "INVALID_TOKEN"
        case .noAccessToken: "MISSING_TOKEN"
        case .tooManyGuesses: "TOO_MANY_OTP_ATTEMPTS"
        case .tooMany, .tooManyRequests: "RATE_LIMIT_EXCEEDED"
        default: nil
        }
    }
}
