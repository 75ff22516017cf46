/// The state of one process of a service, as of now. Of several replicas it is the one that answered.
package struct ServiceState: Codable, Sendable, Equatable {
    /// The value of a metric's series.
    package struct Figure: Codable, Sendable, Equatable {
        package var metric: String
        package var labels: [String: String]
        package var value: Double

        package init(metric: String, labels: [String: String] = [:], value: Double) {
            (self.metric, self.labels, self.value) = (metric, labels, value)
        }
    }

    /// The metrics whose series are in the answer, if the service has them.
    package static let metrics: Set<String> = [
        "auth_provider_circuit_state", "auth_rate_limited_total", "auth_revocation_replica_age_seconds",
        "auth_revocations_unpublished", "sqlite_backup_age_seconds", "sqlite_copy_age_seconds",
    ]

    /// A hash of what all services have to take from the same policy, without secrets.
    package var policyHash: String
    /// The conditions of readiness that do not hold.
    package var problems: [String]
    package var figures: [Figure]
    /// The signing keys, in the state of token-service.
    package var keys: KeyList?

    package init(policyHash: String, problems: [String], figures: [Figure], keys: KeyList? = nil) {
        (self.policyHash, self.problems, self.figures, self.keys) = (policyHash, problems, figures, keys)
    }
}

/// The state of all services; a member is `nil` if its service is unavailable.
package struct TodayReport: Codable, Sendable, Equatable {
    package var user: ServiceState
    package var token: ServiceState?
    package var otp: ServiceState?
    package var spend: GuardReport?

    package init(
        user: ServiceState, token: ServiceState? = nil, otp: ServiceState? = nil, spend: GuardReport? = nil
    ) {
        (self.user, self.token, self.otp, self.spend) = (user, token, otp, spend)
    }
}

/// Requests counts over time; answered with `CountSeries`.
package struct SeriesRequest: Codable, Sendable, Equatable {
    /// The numbers of days that can be requested.
    package static let choices = [1, 30]

    package var days: Int
    /// A day has a count for each hour, and 30 days one for each day.
    package var steps: Int { days == 1 ? 24 : days }
    package var stepSeconds: Int64 { days == 1 ? 3_600 : 86_400 }

    package init(days: Int) { self.days = days }

    /// - Throws: `InvalidInput` if that number of days cannot be requested.
    package func require() throws(InvalidInput) {
        guard Self.choices.contains(days) else { throw InvalidInput(member: "days") }
    }
}

/// Counts of events over time, with a count for each step, oldest first.
package struct CountSeries: Codable, Sendable, Equatable {
    /// The Unix time in seconds at which the first step begins.
    package var from: Int64
    package var stepSeconds: Int64
    /// The counts by the name of their series: words with slashes between them.
    package var counts: [String: [Int64]]
    /// The services that are unavailable, whose series are missing.
    package var missing: [String]

    package init(from: Int64, stepSeconds: Int64, counts: [String: [Int64]], missing: [String] = []) {
        (self.from, self.stepSeconds) = (from, stepSeconds)
        (self.counts, self.missing) = (counts, missing)
    }
}
