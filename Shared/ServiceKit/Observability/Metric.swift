/// A metric that a process offers at `/metrics`.
package struct Metric: Sendable, Equatable {
    /// The type in Prometheus' text format.
    package enum Kind: String, Sendable { case counter, gauge, histogram }

    /// The processes of a deployment.
    package enum Process: String, Sendable, CaseIterable { case gateway, otp, token, user }

    /// The moment at which a counter or a histogram has its first series. Before it `increase()` sees no rise from 0.
    package enum Beginning: Sendable {
        /// The start of the process, with a series for each combination of labels: the usual case.
        case start
        /// The start of the process too, if the policy or the settings switch on what is counted.
        case configured
        /// The first event, because a label's values are not known before it, or there are over 50 combinations. A rule about
        /// such a metric also fires for a new series.
        case firstEvent
    }

    package let name: String
    package let kind: Kind
    package let processes: [Process]
    package let beginning: Beginning
    package let labels: [String]
    /// The text after `# HELP`.
    package let help: String

    init(
        _ name: String, _ kind: Kind, in processes: [Process], from beginning: Beginning = .start,
        _ labels: [String], _ help: String
    ) {
        (self.name, self.kind, self.processes, self.beginning) = (name, kind, processes, beginning)
        (self.labels, self.help) = (labels, help)
    }

    init(
        _ name: String, _ kind: Kind, in processes: [Process], from beginning: Beginning = .start, _ help: String
    ) {
        self.init(name, kind, in: processes, from: beginning, [], help)
    }
}

extension [Metric.Process] {
    static let all = Metric.Process.allCases
}
