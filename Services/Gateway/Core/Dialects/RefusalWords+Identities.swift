/// Refusals that carry more of an account than words.
extension RefusalWords {
    static func phoneChangePending(_ movesAt: Int64?) -> Self {
        var words = Self(409, "phone_change_pending", "The account gets this phone number later. Sign in then")
        words.movesAt = movesAt
        return words
    }

    static func secondIdentityRequired(_ methods: [String]) -> Self {
        var words = Self(
            403, "second_identity_required",
            "The account was not used for long. Sign in another way, or begin a new account with newAccount")
        words.methods = methods
        return words
    }

    static func deletionScheduled(restoreToken: String?) -> Self {
        var words = Self(409, "deletion_scheduled", "The account waits for its deletion")
        words.restoreToken = restoreToken
        return words
    }

    static func identityInUse(mergeToken: String?) -> Self {
        var words = Self(409, "identity_in_use", "Another account has this phone number, email address or identity")
        words.mergeToken = mergeToken
        return words
    }

    static func mergeProofRequired(_ methods: [String]) -> Self {
        var words = Self(403, "merge_proof_required", "Something more of the other account has to be verified")
        words.methods = methods
        return words
    }

    /// The words for a refused passkey.
    static func passkey(_ refusal: Refusal) -> Self {
        switch refusal {
        case .passkeyInvalid: Self(400, "passkey_invalid", "The passkey cannot be added. Begin again")
        case .passkeyExists: Self(409, "passkey_exists", "The passkey is added already")
        case .tooManyPasskeys: Self(409, "too_many_passkeys", "The account has no room for a passkey. Remove one first")
        case .noSuchPasskey: Self(404, "not_found", "The account has no such passkey")
        default:
            Self(
                401, "passkey_refused", "The passkey was not accepted. Sign in another way",
                headers: [("WWW-Authenticate", "Bearer")])
        }
    }

    /// The words for refusals about second factors.
    static func secondFactor(_ refusal: Refusal) -> Self {
        switch refusal {
        case .secondFactorRequired(let token, let methods):
            var words = Self(403, "second_factor_required", "The account needs a second factor: POST /auth/mfa/verify")
            (words.mfaToken, words.methods) = (token, methods)
            return words
        case .tooManyAttempts(let seconds):
            return Self(429, "too_many_attempts", "Too many codes were wrong", retryAfterSeconds: seconds)
        case .secondFactorExists:
            return Self(409, "second_factor_exists", "One-time passwords are on already. Remove them first")
        case .noSecondFactor: return Self(404, "not_found", "The account has no such second factor")
        case .recoveryCodesNeeded:
            return Self(409, "recovery_codes_needed", "The account needs recovery codes first")
        default:
            return Self(
                401, "second_factor_refused", "The second factor is wrong or was used, or the sign-in took too long",
                headers: [("WWW-Authenticate", "Bearer")])
        }
    }

    /// The words for a refused request of an administrator.
    static func administration(_ refusal: Refusal) -> Self {
        switch refusal {
        case .versionMismatch:
            Self(412, "precondition_failed", "The user was changed meanwhile. Read the user and try again")
        case .lastAdministrator:
            Self(409, "last_admin", "This is the last administrator. Give another user the role first")
        case .removalDue: Self(409, "removal_due", "The user is being removed and cannot be restored any more")
        case .alreadyUser: Self(409, "already_user", "This person has an account already")
        case .reviewAccessesOpen:
            Self(409, "review_accesses_open", "The maximum number of review accesses is open. End one first")
        default: Self(404, "not_found", "There is no such user")
        }
    }
}
