import UserCore
import UserSQLite

await UserService.run(storage: UserSQLite.open)
