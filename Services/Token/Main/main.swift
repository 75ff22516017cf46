internal import ServiceKit
internal import TokenCore

await runProcess("token", defaultPort: 8082) { context in
    try await TokenService.plan(context)
}
