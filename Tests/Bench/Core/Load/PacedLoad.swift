/// Requests that begin at fixed times, however long the ones before them take.
package struct PacedLoad: Sendable {
    let perSecond: Double
    let seconds: Double

    /// Milliseconds from sending each request to its answer, in no order.
    ///
    /// - Parameter send: sends the request of this number over the connection, and throws for an answer that is wrong.
    func run(
        over connections: [LoadConnection], _ send: @escaping @Sendable (Int, LoadConnection) async throws -> Void
    ) async throws -> [Double] {
        let start = ContinuousClock.now
        let pause = Duration.seconds(1 / perSecond)
        let limit = Duration.seconds(seconds * 4)
        let count = Int((perSecond * seconds).rounded())
        return try await LoadRun.over(connections, 0..<count, within: limit) { number, connection in
            try await Task.sleep(until: start + pause * number, clock: .continuous)
            let sent = ContinuousClock.now
            try await send(number, connection)
            return (ContinuousClock.now - sent) / .milliseconds(1)
        }.values
    }
}
