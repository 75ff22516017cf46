import InternalAPI
import ServiceCalls
import ServiceHTTP
import ServiceKit
import Storage

/// The state and the counts of this service, which user-service reads for administrators.
struct StateRoutes: Sendable {
    let context: ProcessContext
    let keys: KeyRotation
    let counter: HourlyCounter

    func add(to routes: inout ServiceRoutes) {
        routes.serve(StateOperations.state) { _, _ in
            var state = await context.state.report(context.policy)
            state.keys = try await keys.list()
            return .answer(state)
        }
        routes.serve(StateOperations.series) { request, _ in
            try request.require()
            let (from, counts) = try await counter.sums(steps: request.steps, of: request.stepSeconds)
            return .answer(CountSeries(from: from, stepSeconds: request.stepSeconds, counts: counts))
        }
    }
}
