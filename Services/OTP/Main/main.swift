internal import OTPCore
internal import ServiceKit

await runProcess("otp", defaultPort: OTPService.defaultPort) { context in
    try OTPService.plan(context)
}
