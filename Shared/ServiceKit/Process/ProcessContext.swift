package import Logging
package import Policies
package import ServiceLifecycle

/// The values from which a process is built.
package struct ProcessContext: Sendable {
    package let settings: ProcessSettings
    package private(set) var policy: Policy
    package let logger: Logger
    /// The process's wall clock, for what is removed because of its age.
    package let wallClock: WallClock
    /// How the clocks of other processes differ.
    package let clocks = ClockPeers()
    package let state = ProcessState()
    /// Shows that a start waits; `nil` in tests.
    let startWait: StartWait?

    package init(settings: ProcessSettings, policy: Policy, logger: Logger) {
        self.init(settings: settings, policy: policy, logger: logger, startWait: nil)
    }

    init(settings: ProcessSettings, policy: Policy, logger: Logger, startWait: StartWait?) {
        self.settings = settings
        self.policy = policy
        self.logger = logger
        wallClock = WallClock(logger: logger)
        self.startWait = startWait
    }
}

extension ProcessContext {
    /// Reads the policy again, and returns the values with it.
    ///
    /// - Throws: `PolicyError` or `SettingsError` with everything that is wrong with it, also in this environment.
    package func withPolicyReadAgain() throws -> ProcessContext {
        var next = self
        let name = settings.policyName.isEmpty ? Policy.defaultName : settings.policyName
        next.policy = try Policy.load(
            named: name, directory: settings.policiesDirectory, appName: settings.appName)
        try SettingsReport.requireNone(next.policy.problems(in: settings.environment))
        return next
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
    let name: String
    /// Whether the process does its job nevertheless, so that `/readyz` is 200 and only shows the problem.
    let isCaution: Bool
    /// Returns why the condition does not hold, or `nil` if it does.
    let problem: @Sendable () async -> String?

    package init(_ name: String, isReady: @escaping @Sendable () async -> Bool) {
        self.name = name
        isCaution = false
        problem = { await isReady() ? nil : "" }
    }

    /// - Parameters:
    ///   - isCaution: Whether the process does its job although the condition does not hold.
    ///   - problem: Returns why the condition does not hold, as a line for the operator, or `nil` if it does.
    package init(_ name: String, isCaution: Bool = false, problem: @escaping @Sendable () async -> String?) {
        self.name = name
        self.isCaution = isCaution
        self.problem = problem
    }

    /// Returns the condition's name if it does not hold, with the reason if there is one.
    func missing() async -> String? {
        guard let problem = await problem() else { return nil }
        return problem.isEmpty ? name : "\(name) (\(problem))"
    }
}
