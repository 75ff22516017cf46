package import InternalAPI
package import Policies
package import ServiceKit

extension ProcessState {
    /// The state of this process under a policy.
    package func report(_ policy: Policy) async -> ServiceState {
        let figures = Self.values(of: ServiceState.metrics).map {
            ServiceState.Figure(metric: $0.metric, labels: $0.labels, value: $0.value)
        }
        return ServiceState(
            policyHash: policy.hashOfAllProcesses, problems: await problems,
            figures: figures.filter(\.value.isFinite))
    }
}
