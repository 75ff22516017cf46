internal import UserCore
internal import UserSQLite

await UserService.run(storage: UserSQLite.open)
