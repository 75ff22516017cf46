import ServiceKit
import TokenCore
import TokenPostgres
import TokenSQLite

await TokenService.run(
    storage: .chosen(by: "TOKEN_DATABASE_URL", set: TokenPostgres.source, unset: TokenSQLite.source))
