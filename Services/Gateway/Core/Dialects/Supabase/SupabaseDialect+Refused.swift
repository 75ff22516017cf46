/// What is not offered.
extension SupabaseDialect {
    var refusedRows: [DialectRow] { [] }
}
