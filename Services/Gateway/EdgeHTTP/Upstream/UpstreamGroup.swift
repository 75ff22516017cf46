package import Logging
import NIOCore
import NIOPosix
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
        var records: [SocketAddress: KeepAliveRecord] = [:]
    }

    package let name: String
    let endpoints: [UpstreamEndpoint]
    let limits: UpstreamLimits
    /// The TLS for endpoints that use it; if it is `nil`, none of them can be reached.
    let tls: UpstreamTLS?
    private let directory: Mutex<Directory>
    private let currentVersion = Atomic<Int>(1)
    private let logger: Logger
    /// The reports of connections that fail.
    let failures: UpstreamFailures
    /// Whether any endpoint is a name, whose addresses may change.
    private let hasNames: Bool

    /// Creates a group with the usual bounds.
    ///
    /// - Parameter tls: the TLS of the connections, needed if an endpoint uses it.
    package convenience init(name: String, endpoints: [UpstreamEndpoint], tls: UpstreamTLS? = nil, logger: Logger) {
        self.init(name: name, endpoints: endpoints, limits: UpstreamLimits(), tls: tls, logger: logger)
    }

    /// Returns the operator's word for a failure: that of `ConnectionFailure` if the connection failed.
    package func word(for failure: UpstreamFailure) -> String { failures.word(for: failure) ?? failure.rawValue }

    init(
        name: String, endpoints: [UpstreamEndpoint], limits: UpstreamLimits, tls: UpstreamTLS? = nil, logger: Logger
    ) {
        self.name = name
        self.tls = tls
        failures = UpstreamFailures(service: name, logger: logger)
        self.logger = logger
        self.endpoints = endpoints
        self.limits = limits
        let literal = endpoints.compactMap { endpoint in
            endpoint.address.map { Target(endpoint: endpoint, address: $0) }
        }
        hasNames = literal.count < endpoints.count
        directory = Mutex(Directory(targets: literal, lookUpAt: .now()))
    }

    /// A number that rises whenever the targets change, so that pools need no lock to see that they did not.
    var version: Int { currentVersion.load(ordering: .acquiring) }

    var targets: [Target] { directory.withLock(\.targets) }

    /// Whether the first look-up has not ended yet.
    var isUnknown: Bool { hasNames && version == 1 }

    /// Returns the record of an address about kept connections, which is shared by the pools of all event loops.
    func keepAlive(of address: SocketAddress) -> KeepAliveRecord {
        directory.withLock { directory in
            if let known = directory.records[address] { return known }
            let made = KeepAliveRecord(service: name, address: address, logger: logger)
            directory.records[address] = made
            return made
        }
    }

    /// Looks the names up on another thread if it is due.
    func lookUpIfDue(now: NIODeadline) {
        guard hasNames, isDue(now) else { return }
        let endpoints = endpoints
        NIOThreadPool.singleton.submit { state in
            guard state == .active else { return self.replace([]) }
            let (targets, unknown) = AddressLookup.targets(of: endpoints)
            for endpoint in unknown { self.failures.noteUnknownName(of: endpoint, now: .now()) }
            self.replace(targets)
        }
    }

    private func isDue(_ now: NIODeadline) -> Bool {
        directory.withLock { directory in
            guard !directory.isLookingUp, directory.lookUpAt <= now else { return false }
            directory.isLookingUp = true
            return true
        }
    }

    /// Replaces the targets by those found. If none were found, the known ones stay.
    private func replace(_ found: [Target]) {
        let isNews = directory.withLock { directory in
            directory.isLookingUp = false
            directory.lookUpAt = .now() + .seconds(limits.lookupSeconds)
            guard !found.isEmpty, found != directory.targets else { return false }
            directory.targets = found
            let addresses = Set(found.map(\.address))
            directory.records = directory.records.filter { address, record in
                addresses.contains(address) || record.trust(now: .now()) != .full
            }
            return true
        }
        if isNews || isUnknown { currentVersion.add(1, ordering: .releasing) }
    }
}
