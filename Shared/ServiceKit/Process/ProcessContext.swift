package import Logging
package import Policies
package import ServiceLifecycle

/// What a process is built from.
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

/// What a process runs.
package struct ProcessPlan: Sendable {
    /// In order of dependency: stores first, the server last; they stop in the opposite order.
    package var services: [any Service]
    /// What must hold for the process to do its job.
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
