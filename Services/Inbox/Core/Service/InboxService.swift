import InternalAPI
import Policies
import ServiceHTTP
package import ServiceKit

/// The development inbox: keeps the newest messages in memory and shows them; never started in production.
package enum InboxService {
    /// The port at which it listens unless `LATCHKEY_LISTEN` states another.
    package static let defaultPort = 8025

    /// Runs the process until it is told to stop.
    package static func run() async {
        await runProcess(
            "inbox", "inbox shows the messages of development: codes, mails and their links.", defaultPort: defaultPort
        ) { try plan($0) }
    }

    /// Builds the process from its settings.
    package static func plan(_ context: ProcessContext) throws -> ProcessPlan {
        guard context.settings.environment != .production else {
            throw SettingsError(
                "LATCHKEY_ENV",
                "production has no inbox, because it shows the codes of all users. Use development or uat.")
        }
        let routes = InboxRoutes(box: MessageBox(), page: InboxPage()) { UnixTime.seconds() }
        let router = routes.router(
            verifier: try assertionVerifier(context, callers: InboxOperations.deliver.callers))
        return ProcessPlan(services: [
            try boundedApplication(router, address: context.settings.listen, logger: context.logger)
        ])
    }
}
