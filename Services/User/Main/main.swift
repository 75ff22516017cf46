internal import ServiceKit
internal import UserCore

await runProcess(UserService.name, defaultPort: UserService.defaultPort) { context in
    try await UserService.plan(context)
}
