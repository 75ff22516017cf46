/// The limits of one-time codes: sign-ins per second, a flood of refused requests, a million phone numbers in Redis.
package struct OTPBench: Sendable {
    /// Sign-ins in a second, all processes and the load generator on two cores.
    package static let boundPerSecond = 600.0
    private static let limit: Duration = .seconds(900)
    /// Far from the numbers of those whose values are copied.
    private static let firstBefore = 1_000_000
    private static let connectionsBefore = 16

    package let count: Int
    package let warmUpCount: Int
    package let connectionCount: Int
    /// Requests of the flood.
    package let floodPerSecond: Double
    package let floodSeconds: Double

    package init(
        count: Int, warmUpCount: Int, connectionCount: Int, floodPerSecond: Double, floodSeconds: Double
    ) {
        self.count = count
        self.warmUpCount = warmUpCount
        self.connectionCount = connectionCount
        self.floodPerSecond = floodPerSecond
        self.floodSeconds = floodSeconds
    }

    /// Sign-ins, then the flood, on one stack.
    package func load(_ stack: StackUnderLoad) async throws -> [Figure] {
        _ = try await stack.signIn(0..<warmUpCount, connections: connectionCount, within: Self.limit)
        let end = warmUpCount + count
        let before = Machine.busySeconds
        let run = try await stack.signIn(warmUpCount..<end, connections: connectionCount, within: Self.limit)
        let cores = (Machine.busySeconds - before) / run.wallSeconds
        let rate = [
            Figure(
                "otp.signin.rate", Double(count) / run.wallSeconds, .perSecond, bound: .atLeast(Self.boundPerSecond)),
            Figure("otp.signin.cores", cores, .cores),
        ]
        let flood = RefusedFlood(perSecond: floodPerSecond, seconds: floodSeconds)
        return rate + (try await flood.run(on: stack, firstIndex: end))
    }

    /// A million numbers, on a stack whose Redis has 128 MB.
    ///
    /// - Parameters:
    ///   - name: what stands before the names of the figures.
    ///   - environment: settings of `deploy/run`.
    ///   - signIns: by phone and by mail each, before the values of those who have signed in are copied.
    package static func memory(
        named name: String = "otp", environment: [String: String] = [:], after signIns: Int = 0
    ) async throws -> [Figure] {
        let size = ["LATCHKEY_REDIS_MEMORY_MB": "\(FullRedis.megabytes)"]
        return try await StackUnderLoad.run(environment: environment.merging(size) { $1 }) { stack in
            let indices = firstBefore..<firstBefore + signIns
            for way in SignInWay.byCode where signIns > 0 {
                _ = try await stack.signIn(indices, by: way, connections: connectionsBefore, within: limit)
            }
            return try await FullRedis(stack: stack, name: name).run()
        }
    }
}
