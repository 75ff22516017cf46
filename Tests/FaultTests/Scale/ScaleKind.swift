import FoundationEssentials

/// The kinds of `deploy/faults scale`.
enum ScaleKind: String, CaseIterable, Sendable {
    /// PostgreSQL's primary is killed with its Patroni.
    case primary
    /// All processes of a host end at once.
    case host
    /// Redis' master is killed.
    case redis
    /// All processes of a host stop until the others have replaced them, and wake up.
    case freeze
    /// The two hosts do not hear each other, or one does not hear the other.
    case cut
    /// One host neither hears the others nor is heard by them.
    case isolated
    /// The disk of PostgreSQL's primary is full.
    case disk

    /// `LATCHKEY_FAULT_KIND`; in the suite the kind that is fast.
    static var chosen: ScaleKind? {
        let name = ProcessInfo.processInfo.environment["LATCHKEY_FAULT_KIND"]
        return name.map { ScaleKind(rawValue: $0) } ?? .redis
    }

    /// Whether the fault needs both masters on one host: a cut between two hosts with a master each would leave no side
    /// that can serve.
    var gathers: Bool { [.host, .freeze, .cut, .isolated].contains(self) }
    /// Whether clients leave the gateway that does not respond.
    var roams: Bool { self == .host || self == .freeze }
    /// The most time until requests succeed again, in nine of ten rounds.
    var recoveryMax: Duration { self == .redis ? .seconds(15) : .seconds(30) }
    /// How long it lasts at least.
    var duration: Duration {
        switch self {
        case .freeze: .seconds(40)
        case .cut, .isolated: .seconds(35)
        case .primary, .host, .redis, .disk: .zero
        }
    }

    /// The hosts of the pair whose gateways serve again before the fault ends.
    func majority(without victim: Int) -> [Int] {
        switch self {
        case .primary, .redis, .disk: Cluster.pair
        case .host, .freeze, .isolated: Cluster.pair.filter { $0 != victim }
        case .cut: [victim]
        }
    }

    /// The host of the pair that cannot serve until the fault ends, although it runs; `nil` if there is none.
    func cutOff(by victim: Int) -> Int? {
        switch self {
        case .isolated: victim
        case .cut: Cluster.pair.first { $0 != victim }
        case .primary, .host, .redis, .freeze, .disk: nil
        }
    }
}

extension ScaleFault {
    /// The next fault of a cluster, once that is whole.
    ///
    /// - Parameter number: counts the rounds of the kind.
    static func next(_ kind: ScaleKind, _ number: Int, in deployment: Deployment) async throws -> ScaleFault {
        let cluster = deployment.cluster
        try await cluster.untilWhole()
        let gathered = kind.gathers ? try await cluster.gather() : nil
        let found = kind == .redis ? await cluster.master() : await cluster.primary()
        guard let victim = gathered ?? found else { throw Machine.Failed(description: "the cluster has no master") }
        return ScaleFault(kind: kind, victim: victim, number: number, deployment: deployment)
    }
}

/// One fault of a cluster: how it begins and how it ends.
struct ScaleFault: Sendable, CustomStringConvertible {
    let kind: ScaleKind
    /// The host with the master that is lost, or that stays on its side of a cut.
    let victim: Int
    /// Counts the rounds of its kind: a cut goes both ways, and one way and the other by turns.
    let number: Int
    let deployment: Deployment
    /// Runs before the fault, for the controls.
    var prepare: @Sendable () async throws -> Void = {}

    private var cluster: Cluster { deployment.cluster }
    private var network: Network { deployment.cluster.network }

    var description: String {
        let direction = kind == .cut ? ["both ways", "what the master sends", "what the master hears"][number % 3] : ""
        return "\(kind.rawValue) h\(victim + 1) \(direction)"
    }

    func begin() async throws {
        try await prepare()
        switch kind {
        case .primary: try await cluster.killPostgreSQL(victim)
        case .host: try await network.hosts[victim].powerOff()
        case .redis: try await cluster.killRedis(victim)
        case .freeze: try await network.hosts[victim].freeze()
        case .cut:
            let other = 1 - victim
            if number % 3 != 2 { try await network.cut(other, from: victim) }
            if number % 3 != 1 { try await network.cut(victim, from: other) }
        case .isolated:
            for other in network.hosts.indices where other != victim {
                try await network.cut(other, from: victim)
                try await network.cut(victim, from: other)
            }
        case .disk: try await cluster.fillDisk(victim)
        }
    }

    func end() async throws {
        switch kind {
        case .primary:
            for host in network.hosts.indices { try await network.reconnect(host) }
            try await cluster.startPatroni(victim)
        case .host:
            try await network.powerOn(victim)
            try await cluster.start(victim)
            try await deployment.start(victim)
        case .redis: try await cluster.startRedis(victim)
        case .freeze: try await network.hosts[victim].thaw()
        case .cut, .isolated: for host in network.hosts.indices { try await network.reconnect(host) }
        case .disk: try await cluster.emptyDisk(victim)
        }
    }
}
