import ServiceKit
import UserCore
import UserPostgres
import UserSQLite

await UserService.run(
    storage: .chosen(by: "USER_DATABASE_URL", set: UserPostgres.source, unset: UserSQLite.source))
