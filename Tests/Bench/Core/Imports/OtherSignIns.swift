import Synchronization
import TestSupport

/// New people who sign in by phone, one after the other in a steady stream, for as long as something else goes on.
final class OtherSignIns: Sendable {
    private let stack: StackUnderLoad
    private let pause: Duration
    private let connectionCount: Int
    private let upcoming = Atomic<Int>(0)

    init(stack: StackUnderLoad, perSecond: Double, connectionCount: Int) {
        self.stack = stack
        pause = .seconds(1 / perSecond)
        self.connectionCount = connectionCount
    }

    /// Returns the result of `act`, and how long each request of the concurrent sign-ins took; a failed request ends it.
    func milliseconds<Result: Sendable>(
        during act: @escaping @Sendable () async throws -> Result
    ) async throws -> (value: [Double], result: Result) {
        let connections = try await LoadConnection.open(connectionCount, port: stack.gatewayPort)
        let isDone = Flag()
        let acting = Task {
            defer { isDone.set() }
            return try await act()
        }
        let (start, first) = (ContinuousClock.now, upcoming.load(ordering: .relaxed))
        let client = SignInClient(hooks: stack.hooks)
        let taken = try await withThrowingTaskGroup(of: [Double].self) { group in
            for connection in connections {
                group.addTask { [self] in
                    var taken: [Double] = []
                    repeat {
                        let index = upcoming.wrappingAdd(1, ordering: .relaxed).oldValue
                        try await Task.sleep(until: start + pause * (index - first), clock: .continuous)
                        let latencies = try await client.signIn(SignInNumbers.number(index), over: connection)
                        taken += [latencies.requestMilliseconds, latencies.verifyMilliseconds].compactMap(\.self)
                    } while !isDone.isSet
                    return taken
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        for connection in connections { await connection.close() }
        return (taken, try await acting.value)
    }
}
