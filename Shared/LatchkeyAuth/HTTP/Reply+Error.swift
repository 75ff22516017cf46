import Foundation

/// The errors that bad responses stand for.
extension Reply {
    var error: AuthError {
        switch status {
        case 429:
            .rateLimited(
                member("limit")?.text.flatMap(RateLimit.init(rawValue:)), retryAfter: retryAfter ?? .seconds(30))
        case 500...599: .unavailable(retryAfter: retryAfter)
        case 400..<500: code.map(error) ?? (isCodeRefusal ? .codeRefused(nil) : .notLatchkey)
        default: .notLatchkey
        }
    }

    /// Whether it is the response to a wrong code, which has a sentence in place of a code.
    private var isCodeRefusal: Bool {
        status == 401 && member("success") == .boolean(false) && member("error")?.text != nil
    }

    private func error(_ code: String) -> AuthError {
        if code == "second_factor_required", let token = member("mfaToken")?.text {
            return .secondFactorRequired(MfaToken(token), methods: member("methods")?.texts ?? [])
        }
        return switch code {
        case "invalid_code", "code_expired", "invalid_link", "invalid_sign_in":
            .codeRefused(CodeRefusal(rawValue: code))
        case "invalid_credentials", "wrong_password": .passwordRefused
        case Self.inactive: .accountInactive
        case "not_invited": .notInvited
        case "deletion_scheduled": .deletionScheduled(member("restoreToken")?.text.map(RestoreToken.init))
        case "reauthentication_required", Self.insufficient: .reauthenticationRequired
        case "reauthentication_failed": .reauthenticationFailed
        case "identity_in_use": .identityInUse(member("mergeToken")?.text.map(MergeToken.init))
        case "identity_changed": .identityChanged
        case "last_identity": .lastIdentity
        case "phone_change_pending": .phoneChangePending(movesAt: member("movesAt")?.whole.map(Date.init(unixSeconds:)))
        case "second_identity_required": .secondIdentityRequired(methods: member("methods")?.texts ?? [])
        case "account_under_review": .accountUnderReview
        case "passkey_refused", "passkey_invalid": .passkeyRefused
        case "passkey_exists": .passkeyExists
        case "too_many_passkeys": .tooManyPasskeys
        case "second_factor_refused": .secondFactorRefused
        case "merge_proof_required": .mergeProofRequired(methods: member("methods")?.texts ?? [])
        default:
            field(code).map { .invalid(field: $0, code: code) }
                ?? .refused(status: status, code: code, requestID: requestID)
        }
    }

    /// The field that a code finds fault with.
    private func field(_ code: String) -> String? {
        switch code {
        case "invalid_phone", "blocked_country": "phoneNumber"
        case "invalid_email", "undeliverable_email": "email"
        case "weak_password": "password"
        case "unsupported_channel": "channel"
        case "invalid_request": invalidMember
        default: nil
        }
    }

    /// The member that a request's refusal names in its title, such as "The member 'code' is not valid".
    private var invalidMember: String? {
        guard let title = member("title")?.text else { return nil }
        let parts = title.split(separator: "'", omittingEmptySubsequences: false)
        guard parts.count == 3, [" is not valid", " is missing"].contains(parts[2]) else { return nil }
        return Self.word(String(parts[1]))
    }
}
