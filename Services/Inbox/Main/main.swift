internal import InboxCore
internal import ServiceKit

await runProcess("inbox", defaultPort: InboxService.defaultPort) { context in
    try InboxService.plan(context)
}
