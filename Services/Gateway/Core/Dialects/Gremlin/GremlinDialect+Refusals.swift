import EdgeHTTP

/// Refusals as Better Auth writes them, with `code` and `message`. The document states only statuses, so the codes are ours in
/// capitals. A 403 about an account states whether the account is active ("Check is_active status"), and which role is needed
/// ("specific role requirements").
extension GremlinDialect {
    private struct Body: Encodable {
        let code: String
        let message: String
        let isActive: Bool?
        let requiredRoles: [String]?

        enum CodingKeys: String, CodingKey {
            case code, message
            case isActive = "is_active"
            case requiredRoles = "required_roles"
        }
    }

    func reply(to refusal: Refusal) -> Reply {
        // For a sign-out without a token the document states that the token is missing, not that the request is invalid.
        let refusal = refusal == .nothingToEnd ? .noAccessToken : refusal
        let words = RefusalWords(refusal)
        return .json(
            Body(
                code: words.code.uppercased(), message: words.title, isActive: Self.isActive(refusal),
                requiredRoles: Self.requiredRoles(refusal)),
            status: words.status, headers: words.allHeaders)
    }

    /// Whether the account is active; `nil` if the refusal is not about a known account.
    private static func isActive(_ refusal: Refusal) -> Bool? {
        switch refusal {
        case .accountInactive: false
        case .roleMissing: true
        default: nil
        }
    }

    /// Returns the roles of which the account needs one.
    private static func requiredRoles(_ refusal: Refusal) -> [String]? {
        if case .roleMissing(let roles) = refusal { roles } else { nil }
    }
}
