/// Rows of the dialect.
extension SupabaseDialect {
    var ownUserRows: [DialectRow] { [] }
}
