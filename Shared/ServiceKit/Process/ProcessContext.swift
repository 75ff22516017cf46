package import Logging
package import Policies
package import ServiceLifecycle

/// The values from which a process is built.
package struct ProcessContext: Sendable {
    package let settings: ProcessSettings
    package let policy: Policy
    package let logger: Logger

    package init(settings: ProcessSettings, policy: Policy, logger: Logger) {
        self.settings = settings
        self.policy = policy
        self.logger = logger
    }
}

/// The services that a process runs, and the checks of its readiness.
package struct ProcessPlan: Sendable {
    /// The services in order of dependency: stores first, the server last. They stop in the opposite order.
    package var services: [any Service]
    /// The checks that must all hold for the process to do its job.
    package var readiness: [ReadinessCheck]

    package init(services: [any Service], readiness: [ReadinessCheck] = []) {
        self.services = services
        self.readiness = readiness
    }
}

/// One thing that a process needs to do its job.
package struct ReadinessCheck: Sendable {
    package let name: String
    package let isReady: @Sendable () async -> Bool

    package init(_ name: String, isReady: @escaping @Sendable () async -> Bool) {
        self.name = name
        self.isReady = isReady
    }
}
