import ServiceKit
import UserCore
import UserTables

await UserService.run(
    storage: .chosen(by: "USER_DATABASE_URL", set: UserDatabase.server, unset: UserDatabase.file))
