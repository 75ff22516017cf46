import GatewayCore
import ServiceKit

/// The public edge: the only process that clients reach.
@main enum GatewayProcess {
    static func main() async {
        await runProcess("gateway", defaultPort: 8080, socketThreads: .oneForEachCore) { try await Gateway.plan($0) }
    }
}
