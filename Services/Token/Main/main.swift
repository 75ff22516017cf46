internal import TokenCore
internal import TokenSQLite

await TokenService.run(storage: TokenSQLite.open)
