import CoreMetrics
import EdgeHTTP
import InternalAPI
import ServiceKit
import ServiceLifecycle
import Synchronization

/// The open WebSockets and live responses of the gateway. It ends them as soon as their user may no longer use the route.
///
/// There are no more than connections of clients. A revocation is found by its session, whatever their number.
final class LongConnections: Sendable {
    /// The time without contact to the list of revocations after which connections of users end, in seconds.
    private let uncheckedSecondsMax: Double

    private static let endedLabel = "auth_edge_long_connections_ended_total"

    private struct State: Sendable {
        var all: [ObjectIdentifier: LongConnection] = [:]
        var bySession: [SessionKey: Set<ObjectIdentifier>] = [:]
        /// The routes of the last reload; `nil` before the first one.
        var table: RouteTable?
    }

    private struct Series: Hashable, Sendable {
        let kind: LongConnection.Kind
        let ending: LongEnding
    }

    private let state = Mutex(State())
    private let replica: RevocationReplica
    private let ended: [Series: Counter]

    /// - Parameter uncheckedSecondsMax: the time without contact to the list of revocations after which connections of users end.
    init(replica: RevocationReplica, uncheckedSecondsMax: Double = 10) {
        self.replica = replica
        self.uncheckedSecondsMax = uncheckedSecondsMax
        let series = LongConnection.Kind.allCases.flatMap { kind in
            LongEnding.allCases.map { Series(kind: kind, ending: $0) }
        }
        ended = Dictionary(
            uniqueKeysWithValues: series.map { series in
                let labels = [("kind", series.kind.rawValue), ("reason", series.ending.rawValue)]
                return (series, Counter(label: Self.endedLabel, dimensions: labels))
            })
    }

    // MARK: - Beginning and end

    /// Adds a connection, or returns why it must not begin. It is removed by `remove` in either case.
    func add(_ connection: LongConnection) -> LongEnding? {
        let id = ObjectIdentifier(connection)
        let table = state.withLock { state in
            state.all[id] = connection
            if let token = connection.token { state.bySession[token.sessionKey, default: []].insert(id) }
            return state.table
        }
        // A revocation or a reload may have come after the request was admitted. Later ones find the connection in the registry.
        if let table, !connection.isServed(by: table) { return .policy }
        guard connection.token != nil else { return nil }
        return isRevoked(connection) ? .revoked : isUnchecked ? .unchecked : nil
    }

    func remove(_ connection: LongConnection, _ reason: LongEnding) {
        let id = ObjectIdentifier(connection)
        state.withLock { state in
            state.all[id] = nil
            guard let key = connection.token?.sessionKey else { return }
            state.bySession[key]?.remove(id)
            if state.bySession[key]?.isEmpty == true { state.bySession[key] = nil }
        }
        ended[Series(kind: connection.kind, ending: reason)]?.increment()
    }

    func count(of kind: LongConnection.Kind) -> Int { state.withLock { $0.all.values.count { $0.kind == kind } } }

    // MARK: - Revocations

    /// Ends the connections that new revocations concern. The replica contains these already.
    ///
    /// - Parameter revocations: `nil` if any connection may be concerned.
    func didRevoke(_ revocations: [Revocation]?) {
        for connection in revocations.map(connections) ?? signedIn where isRevoked(connection) {
            connection.end(.revoked)
        }
    }

    private func connections(of revocations: [Revocation]) -> [LongConnection] {
        state.withLock { state in
            state.bySession.isEmpty ? [] : revocations.flatMap { Self.connections(of: $0.subject, in: state) }
        }
    }

    private static func connections(of subject: Revocation.Subject, in state: State) -> [LongConnection] {
        switch subject {
        case .session(let sid), .version(let sid, _):
            (state.bySession[SessionKey(sid)] ?? []).compactMap { state.all[$0] }
        // The keys of tokens are revoked in emergencies only.
        case .key(let kid): state.all.values.filter { $0.token?.keyID == kid }
        }
    }

    /// Ends the connections of users once revocations could not be read for too long.
    func judgeContact() {
        guard isUnchecked else { return }
        for connection in signedIn { connection.end(.unchecked) }
    }

    private var signedIn: [LongConnection] { state.withLock { $0.all.values.filter { $0.token != nil } } }

    private var isUnchecked: Bool { replica.ageSeconds(now: MonotonicTime.nanoseconds()) > uncheckedSecondsMax }

    private func isRevoked(_ connection: LongConnection) -> Bool {
        guard let token = connection.token else { return false }
        if case .revoked = replica.answer(for: token, now: MonotonicTime.nanoseconds()) { return true }
        return false
    }

    // MARK: - Reload

    /// Ends the connections that the routes of a new policy would not pass on in the same way.
    func use(_ table: RouteTable) {
        let all = state.withLock { state in
            state.table = table
            return Array(state.all.values)
        }
        for connection in all where !connection.isServed(by: table) { connection.end(.policy) }
    }
}

/// Watches how long revocations could not be read, and reports the number of open connections.
struct LongConnectionWatch: Service {
    static let interval: Duration = .milliseconds(500)

    let connections: LongConnections

    func run() async throws {
        let gauges = LongConnection.Kind.allCases.map {
            ($0, Gauge(label: "auth_edge_long_connections", dimensions: [("kind", $0.rawValue)]))
        }
        await repeatUntilShutdown(every: Self.interval) {
            connections.judgeContact()
            for (kind, gauge) in gauges { gauge.record(connections.count(of: kind)) }
        }
    }
}
