import Glibc
import Synchronization
import TestSupport

/// One attack after the other on one edge.
struct AttackSeries: Sendable {
    /// Where an attack has made its point, and is broken off.
    private static let megabytesEnough = 3 * Attack.megabytesMax
    private static let lookInterval: Duration = .milliseconds(500)

    let edge: EdgeUnderTest
    let upstreamPorts: [Int]
    /// The stack of the edge; `nil` if it is not a gateway of ours.
    var stack: LatchkeyStack?
    let otherClients: OtherClients

    /// Nil while it is down.
    private var processNow: pid_t? { stack.map { $0.processID(of: "gateway") } ?? edge.process }

    /// Attacks; a gateway that holds too much after that is started anew: what an attack has won would be won for all that
    /// follow.
    ///
    /// - Returns: the effect on the edge and on other clients, with bounds if the edge is the one that is judged.
    func run(_ attack: Attack) async throws -> [Figure] {
        guard let process = processNow else { throw UnexpectedReply(description: "the edge does not run") }
        let figures = try await HostileCrowd.run(attack.plan, port: edge.port) { tally in
            let (others, held, _) = try await during {
                try await most(of: process, attack, tally)
            } _: { isOver in
                try await otherClients.run(until: isOver)
            }
            let sent = Double(tally.sentBytes.load(ordering: .relaxed)) / 1_048_576
            let all =
                [
                    Figure("memory", held?.total ?? 0, .megabytes), Figure("sockets", held?.sockets ?? 0, .megabytes),
                    Figure("ended", held == nil ? 1 : 0, .count),
                ] + others + [
                    Figure("connections", Double(tally.openMost.load(ordering: .relaxed)), .count),
                    Figure("sent", sent, .megabytes),
                    Figure("answered", Double(tally.answeredCount.load(ordering: .relaxed)), .count),
                ]
            return all.map { figure in
                let most = stack != nil ? attack.bounds[figure.name] : nil
                return Figure(figure.name, figure.value, figure.unit, bound: most.map { .atMost($0) })
            }
        }
        if let stack, figures.value("memory") > Attack.megabytesMax {
            try await stack.restart("gateway", by: SIGKILL)
        }
        return figures
    }

    /// The most that the edge held until the time was over; nil once it has ended.
    private func most(of process: pid_t, _ attack: Attack, _ tally: HostileTally) async throws -> HeldMemory? {
        var end = ContinuousClock.now + attack.openingLimit
        var isGathered = false
        var most: HeldMemory?
        while ContinuousClock.now < end || !isGathered, (most?.total ?? 0) < Self.megabytesEnough {
            let isOpen = tally.openMost.load(ordering: .relaxed) >= attack.plan.count
            if !isGathered, isOpen || ContinuousClock.now >= end {
                isGathered = true
                end = .now + .seconds(attack.seconds)
            }
            guard processNow == process else { return nil }
            let held = try await HeldMemory(of: process, port: edge.port, upstreamPorts: upstreamPorts)
            if held.total > most?.total ?? 0 { most = held }
            try await Task.sleep(for: Self.lookInterval)
        }
        return processNow == process ? most : nil
    }
}
