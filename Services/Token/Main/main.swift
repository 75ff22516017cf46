import ServiceKit
import TokenCore
import TokenTables

await TokenService.run(
    storage: .chosen(by: "TOKEN_DATABASE_URL", set: TokenDatabase.server, unset: TokenDatabase.file))
