/// Rows of the dialect.
extension SupabaseDialect {
    var administrationRows: [DialectRow] { [] }
}
