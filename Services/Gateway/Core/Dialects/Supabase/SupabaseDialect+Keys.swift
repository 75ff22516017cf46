/// What clients and data APIs read about this deployment.
extension SupabaseDialect {
    var keyRows: [DialectRow] { [] }
}
