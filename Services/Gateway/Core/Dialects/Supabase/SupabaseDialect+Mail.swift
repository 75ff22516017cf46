import EdgeHTTP

/// Rows of the dialect.
extension SupabaseDialect {
    var mailRows: [DialectRow] { [] }
}

/// The parts of shared paths that concern mail and browsers.
extension SupabaseDialect {
    /// `POST /otp` with `email`.
    func sendMail(_ request: SupabaseRequest) async throws -> Reply { throw SupabaseError.otpExpired }

    /// `POST /verify` of another type than `sms`.
    func verifyMail(_ request: SupabaseRequest, type: String) async throws -> Reply { throw SupabaseError.otpExpired }

    /// `POST /token?grant_type=pkce`.
    func exchangeCode(_ request: SupabaseRequest) async throws -> Reply { throw SupabaseError.invalidCredentials }
}
