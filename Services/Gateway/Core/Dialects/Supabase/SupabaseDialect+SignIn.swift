import EdgeHTTP

/// Sign-in, refresh and sign-out.
extension SupabaseDialect {
    var signInRows: [DialectRow] { [] }
}
