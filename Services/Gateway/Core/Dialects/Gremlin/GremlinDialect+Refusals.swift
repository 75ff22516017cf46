import EdgeHTTP

/// Refusals as Better Auth writes them, `code` and `message`; the document names statuses alone, so the codes are ours in
/// capitals. Every 403 says whether the account is active ("Check is_active status").
extension GremlinDialect {
    private struct Body: Encodable {
        let code: String
        let message: String
        let isActive: Bool?

        enum CodingKeys: String, CodingKey {
            case code, message
            case isActive = "is_active"
        }
    }

    func reply(to refusal: Refusal) -> Reply {
        // A sign-out without a token: the document says what is missing, not that the request is wrong.
        let refusal = refusal == .nothingToEnd ? .noAccessToken : refusal
        let words = RefusalWords(refusal)
        return .json(
            Body(
                code: words.code.uppercased(), message: words.title,
                isActive: words.status == 403 ? refusal == .roleMissing : nil),
            status: words.status, headers: words.allHeaders)
    }
}
