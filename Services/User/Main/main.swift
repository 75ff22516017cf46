internal import UserCore

await UserService.run()
