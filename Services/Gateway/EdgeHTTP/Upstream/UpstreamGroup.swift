package import Logging
import NIOCore
import NIOPosix
import ServerNames
import Synchronization

/// The replicas of one upstream: the endpoints of its URLs, and the addresses of their names.
package final class UpstreamGroup: Sendable {
    /// One address to which connections are made.
    struct Target: Sendable, Equatable {
        let endpoint: UpstreamEndpoint
        let address: SocketAddress
    }

    private struct Directory: Sendable {
        var targets: [Target]
        var lookUpAt: NIODeadline
        var isLookingUp = false
        /// The records of the targets' addresses, and of addresses that were removed while they were not trusted.
        var records: [SocketAddress: Records] = [:]
    }

    /// The experiences with one address, which the pools of all event loops share.
    struct Records: Sendable {
        let keepAlive: KeepAliveRecord
        let health: HealthRecord
    }

    package let name: String
    package let endpoints: [UpstreamEndpoint]
    /// The check of skipped addresses; `nil` if requests of clients try them.
    package let check: HealthCheckRule?
    let limits: UpstreamLimits
    /// The TLS for endpoints that use it; if it is `nil`, none of them can be reached.
    let tls: UpstreamTLS?
    private let names: ServerNames
    private let directory: Mutex<Directory>
    private let currentVersion = Atomic<Int>(1)
    private let hasRetired = Atomic<Bool>(false)
    private let logger: Logger
    /// The reports of connections that fail.
    let failures: UpstreamFailures
    /// Whether any endpoint is a name, whose addresses may change.
    private let hasNames: Bool

    /// Creates a group with the usual bounds.
    ///
    /// - Parameter tls: the TLS of the connections, needed if an endpoint uses it.
    package convenience init(
        name: String, endpoints: [UpstreamEndpoint], check: HealthCheckRule? = nil, tls: UpstreamTLS? = nil,
        logger: Logger
    ) {
        self.init(name: name, endpoints: endpoints, check: check, limits: UpstreamLimits(), tls: tls, logger: logger)
    }

    /// Returns the operator's word for a failure: that of `ConnectionFailure` if the connection failed.
    package func word(for failure: UpstreamFailure) -> String { failures.word(for: failure) ?? failure.rawValue }

    init(
        name: String, endpoints: [UpstreamEndpoint], check: HealthCheckRule? = nil, limits: UpstreamLimits,
        tls: UpstreamTLS? = nil,
        names: ServerNames = .system, logger: Logger
    ) {
        self.name = name
        self.names = names
        self.tls = tls
        failures = UpstreamFailures(service: name, logger: logger)
        self.logger = logger
        self.endpoints = endpoints
        self.check = check
        for reason in AddressHealth.Reason.allCases { HealthRecord.skips(of: name, for: reason) }
        self.limits = limits
        let literal = endpoints.compactMap { endpoint in
            endpoint.address.map { Target(endpoint: endpoint, address: $0) }
        }
        hasNames = literal.count < endpoints.count
        directory = Mutex(Directory(targets: literal, lookUpAt: .now()))
    }

    /// Whether no request that begins now goes to it.
    var isRetired: Bool { hasRetired.load(ordering: .acquiring) }

    /// Closes its connections as soon as the requests on them have ended, because the policy no longer has the upstream.
    package func retire() { hasRetired.store(true, ordering: .releasing) }

    /// A number that rises whenever the targets change, so that pools need no lock to see that they did not.
    var version: Int { currentVersion.load(ordering: .acquiring) }

    var targets: [Target] { directory.withLock(\.targets) }

    /// Whether the first look-up has not ended yet.
    var isUnknown: Bool { hasNames && version == 1 }

    /// Returns the records of an address.
    func records(of address: SocketAddress) -> Records {
        directory.withLock { directory in
            if let known = directory.records[address] { return known }
            let made = Records(
                keepAlive: KeepAliveRecord(service: name, address: address, logger: logger),
                health: HealthRecord(
                    service: name, address: address, checkInterval: check.map { .seconds($0.intervalSeconds) },
                    logger: logger))
            directory.records[address] = made
            return made
        }
    }

    /// Looks the names up, all at once, if it is due.
    func lookUpIfDue(now: NIODeadline) {
        guard hasNames, isDue(now) else { return }
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let lookups = endpoints.map { addresses(of: $0, on: loop) }
        EventLoopFuture.whenAllComplete(lookups, on: loop).whenSuccess { results in
            for (endpoint, result) in zip(self.endpoints, results) {
                if case .failure = result { self.failures.noteUnknownName(of: endpoint, now: .now()) }
            }
            self.replace(results)
        }
    }

    private func addresses(of endpoint: UpstreamEndpoint, on loop: any EventLoop) -> EventLoopFuture<[SocketAddress]> {
        if let address = endpoint.address { return loop.makeSucceededFuture([address]) }
        guard case .host(let name, let port) = endpoint.place else { return loop.makeSucceededFuture([]) }
        return names.addresses(of: name, port: port, on: loop)
    }

    private func isDue(_ now: NIODeadline) -> Bool {
        directory.withLock { directory in
            guard !directory.isLookingUp, directory.lookUpAt <= now else { return false }
            directory.isLookingUp = true
            return true
        }
    }

    /// Replaces the targets by those found, each once. A name without a reply keeps its targets, and so do all if none were found.
    private func replace(_ results: [Result<[SocketAddress], any Error>]) {
        let isNews = directory.withLock { directory in
            directory.isLookingUp = false
            directory.lookUpAt = .now() + .seconds(limits.lookupSeconds)
            var found: [Target] = []
            for (endpoint, result) in zip(endpoints, results) {
                for target in Self.targets(of: endpoint, result, known: directory.targets) where !found.contains(target)
                {
                    found.append(target)
                }
            }
            guard !found.isEmpty, found != directory.targets else { return false }
            directory.targets = found
            let addresses = Set(found.map(\.address))
            directory.records = directory.records.filter { address, record in
                addresses.contains(address) || record.keepAlive.trust(now: .now()) != .full
            }
            return true
        }
        if isNews || isUnknown { currentVersion.add(1, ordering: .releasing) }
    }

    private static func targets(
        of endpoint: UpstreamEndpoint, _ result: Result<[SocketAddress], any Error>, known: [Target]
    ) -> [Target] {
        switch result {
        case .success(let addresses): addresses.map { Target(endpoint: endpoint, address: $0) }
        case .failure(let error):
            error as? NameFailure == .noReply ? known.filter { $0.endpoint == endpoint } : []
        }
    }
}
