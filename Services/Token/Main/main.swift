import TokenCore
import TokenSQLite

await TokenService.run(storage: TokenSQLite.open)
