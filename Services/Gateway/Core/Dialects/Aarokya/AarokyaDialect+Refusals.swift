import EdgeHTTP

/// Refusals by the codes of aarokya's document ("Error Responses"); what it does not name bears our code in capitals.
extension AarokyaDialect {
    private struct Body: Encodable {
        let error: String
        let message: String
    }

    func reply(to refusal: Refusal) -> Reply {
        // A sign-out without a token: the document says what is missing, not that the request is wrong.
        let refusal = refusal == .nothingToEnd ? .noAccessToken : refusal
        let words = RefusalWords(refusal, names: ["code": "otp", "phone": "phone"])
        return .json(
            Body(error: Self.printedCode(refusal) ?? words.code.uppercased(), message: words.title),
            status: words.status, headers: words.allHeaders)
    }

    /// The document's own code.
    private static func printedCode(_ refusal: Refusal) -> String? {
        switch refusal {
        case .wrongCode: "INVALID_OTP"
        case .codeExpired: "OTP_EXPIRED"
        case .accessTokenExpired, .accessTokenInvalid, .refreshTokenInvalid: "INVALID_TOKEN"
        case .noAccessToken: "MISSING_TOKEN"
        case .tooManyGuesses: "TOO_MANY_OTP_ATTEMPTS"
        case .tooMany, .tooManyRequests: "RATE_LIMIT_EXCEEDED"
        default: nil
        }
    }
}
