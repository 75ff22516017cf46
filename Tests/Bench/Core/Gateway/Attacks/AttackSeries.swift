import Glibc
import Synchronization
import TestSupport

/// An edge that is attacked.
struct AttackedEdge: Sendable {
    /// The name in figures; `nil` for the edge under test.
    let name: String?
    let port: Int
    /// The TLS settings; `nil` for plain HTTP.
    let tls: LoadTLS?
    let upstreamPorts: [Int]
    /// The stack of the edge; `nil` if it is not a gateway of ours.
    let stack: LatchkeyStack?
    /// When it was first looked at.
    let process: pid_t

    /// Nil while it is down.
    var processNow: pid_t? { stack.map { $0.processID(of: "gateway") } ?? process }
}

/// One attack after the other on one edge.
struct AttackSeries: Sendable {
    static let megabytesMax = 200.0
    /// Half of the time after which a newcomer counts as not served.
    static let farSecondsMax = OtherClients.unansweredSeconds / 2
    /// Where an attack has made its point, and is broken off.
    private static let megabytesEnough = 3 * megabytesMax
    private static let lookInterval: Duration = .milliseconds(500)

    let edge: AttackedEdge
    let otherClients: OtherClients

    /// The effect of an attack on the edge and on other clients.
    struct Outcome: Sendable {
        /// The most that the edge held; nil when it has ended.
        let held: HeldMemory?
        let others: OtherClients.Outcome
        /// Hostile connections that were open at once.
        let connectionCount: Int
        let sentMegabytes: Double
        /// Hostile connections to which the edge has answered.
        let answeredCount: Int
    }

    /// Returns a run with the same ordinary clients at another edge.
    func moved(to edge: AttackedEdge) -> AttackSeries {
        AttackSeries(
            edge: edge, otherClients: OtherClients(port: edge.port, tls: edge.tls, tokens: otherClients.tokens))
    }

    /// Attacks; a gateway that holds too much after that is started anew: what an attack has won would be won for all that
    /// follow.
    func run(_ attack: Attack) async throws -> Outcome {
        guard let process = edge.processNow else { throw UnexpectedReply(description: "the edge does not run") }
        let outcome = try await HostileCrowd.run(attack.plan, port: edge.port) { tally in
            let isOver = Flag()
            async let others = otherClients.run { isOver.isSet }
            defer { isOver.set() }
            let held = try await most(of: process, attack, tally)
            isOver.set()
            return Outcome(
                held: held, others: try await others, connectionCount: tally.openMost.load(ordering: .relaxed),
                sentMegabytes: Double(tally.sentBytes.load(ordering: .relaxed)) / 1_048_576,
                answeredCount: tally.answeredCount.load(ordering: .relaxed))
        }
        if let stack = edge.stack, let held = outcome.held, held.total > Self.megabytesMax {
            try await stack.restart("gateway", by: SIGKILL)
        }
        return outcome
    }

    /// The most that the edge held until the time was over; nil once it has ended.
    private func most(of process: pid_t, _ attack: Attack, _ tally: HostileTally) async throws -> HeldMemory? {
        var end = ContinuousClock.now + attack.openingLimit
        var isGathered = false
        var most: HeldMemory?
        while ContinuousClock.now < end || !isGathered, (most?.total ?? 0) < Self.megabytesEnough {
            if !isGathered, attack.isGathered(tally) || ContinuousClock.now >= end {
                isGathered = true
                end = .now + .seconds(attack.seconds)
            }
            guard edge.processNow == process else { return nil }
            let held = try await HeldMemory(of: process, port: edge.port, upstreamPorts: edge.upstreamPorts)
            if held.total > most?.total ?? 0 { most = held }
            try await Task.sleep(for: Self.lookInterval)
        }
        return edge.processNow == process ? most : nil
    }

    /// With bounds if the edge is the one that is judged.
    func figures(_ attack: Attack, _ outcome: Outcome) -> [Figure] {
        let way = edge.tls == nil ? "attacks" : "attacks.tls"
        let name = "\(way).\(attack.name)" + (edge.name.map { ".\($0)" } ?? "")
        func bound(_ most: Double?) -> Figure.Bound? { edge.name == nil ? most.map { .atMost($0) } : nil }
        let (held, others) = (outcome.held, outcome.others)
        var figures = [
            Figure("\(name).memory", held?.total ?? 0, .megabytes, bound: bound(Self.megabytesMax)),
            Figure("\(name).sockets", held?.sockets ?? 0, .megabytes),
            Figure("\(name).ended", held == nil ? 1 : 0, .count, bound: bound(0)),
            Figure("\(name).p99", others.p99Milliseconds, .milliseconds, bound: bound(attack.othersP99MillisecondsMax)),
            Figure("\(name).failures", Double(others.failureCount), .count, bound: bound(0)),
            Figure("\(name).newcomer", others.newcomerSeconds, .seconds, bound: bound(attack.newcomerSecondsMax)),
            Figure("\(name).connections", Double(outcome.connectionCount), .count),
            Figure("\(name).sent", outcome.sentMegabytes, .megabytes),
        ]
        if let far = others.farSeconds {
            figures.append(Figure("\(name).far", far, .seconds, bound: bound(Self.farSecondsMax)))
        }
        if edge.tls != nil { figures.append(Figure("\(name).handshakes", Double(outcome.answeredCount), .count)) }
        return figures
    }
}
