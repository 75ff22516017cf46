import Dispatch
package import NIOCore
import Synchronization

/// Resolves the names of servers. Each lookup has a thread of its own, so a name without a reply delays no other one, and callers wait
/// for a limited time.
///
/// SwiftNIO's resolver looks up one name after the other on one thread for each event loop: the name of a host that is gone can
/// then hold up every other connection for as long as the system waits for it.
package final class ServerNames: Sendable {
    /// Returns the addresses of a name, without a port. It may block for long.
    package typealias LookUp = @Sendable (String) -> Result<[SocketAddress], NameFailure>

    /// The names of the system's resolver.
    package static let system = system(within: waitMax)
    /// How long a caller waits for a name, unless it or the instance has another limit.
    package static let waitMax: TimeAmount = .seconds(1)
    /// A lookup that takes longer is begun again at the next call, since the system may wait for a server that is gone.
    private static let repeatAfter: TimeAmount = .seconds(2)
    /// The maximum number of lookups of one name, and of names that are looked up, at a time.
    private static let (lookupsMax, namesMax) = (4, 256)

    /// The lookups of one name, and the callers that wait for any of them.
    private struct Pending {
        var lookupCount = 0
        var begunAt = NIODeadline.uptimeNanoseconds(0)
        var waiters: [UInt64: EventLoopPromise<[SocketAddress]>] = [:]
    }

    private struct State {
        var names: [String: Pending] = [:]
        var waiterCount: UInt64 = 0
    }

    private let lookUp: LookUp
    private let limit: TimeAmount
    private let state = Mutex(State())

    /// - Parameter limit: How long a caller waits that states no other limit.
    package init(within limit: TimeAmount = waitMax, lookUp: @escaping LookUp) {
        self.limit = limit
        self.lookUp = lookUp
    }

    /// Returns the names of the system's resolver with another limit.
    package static func system(within limit: TimeAmount) -> ServerNames {
        ServerNames(within: limit, lookUp: SystemNames.addresses)
    }

    /// Returns the addresses of a name or of an IP address.
    ///
    /// - Returns: A future of the loop that fails with `NameFailure`.
    package func addresses(
        of host: String, port: Int, on loop: any EventLoop, within limit: TimeAmount? = nil
    ) -> EventLoopFuture<[SocketAddress]> {
        if let address = Self.literal(host, port) { return loop.makeSucceededFuture([address]) }
        let promise = loop.makePromise(of: [SocketAddress].self)
        guard let waiter = join(host, promise) else { return loop.makeFailedFuture(NameFailure.noReply) }
        let timer = loop.scheduleTask(in: limit ?? self.limit) { self.leave(host, waiter) }
        promise.futureResult.whenComplete { _ in timer.cancel() }
        return promise.futureResult.map { $0.map { Self.address($0, port) } }
    }

    /// Returns the IP address that `host` is, or `nil` for a name.
    package static func literal(_ host: String, _ port: Int) -> SocketAddress? {
        do { return try SocketAddress(ipAddress: host, port: port) } catch { return nil }
    }

    private static func address(_ address: SocketAddress, _ port: Int) -> SocketAddress {
        var address = address
        address.port = port
        return address
    }
}

// MARK: - Lookups

extension ServerNames {
    /// Adds a waiter, and begins a lookup if none is running or all take too long.
    ///
    /// - Returns: `nil` if too many names are looked up already.
    private func join(_ host: String, _ promise: EventLoopPromise<[SocketAddress]>) -> UInt64? {
        let now = NIODeadline.now()
        let (waiter, isBegun) = state.withLock { state -> (UInt64?, Bool) in
            guard state.names.count < Self.namesMax || state.names[host] != nil else { return (nil, false) }
            state.waiterCount += 1
            let waiter = state.waiterCount
            var pending = state.names[host] ?? Pending()
            pending.waiters[waiter] = promise
            let isBegun =
                pending.lookupCount == 0
                || (now >= pending.begunAt + Self.repeatAfter && pending.lookupCount < Self.lookupsMax)
            if isBegun {
                pending.lookupCount += 1
                pending.begunAt = now
            }
            state.names[host] = pending
            return (waiter, isBegun)
        }
        if isBegun { begin(host) }
        if waiter == nil { promise.fail(NameFailure.noReply) }
        return waiter
    }

    /// Looks a name up on a thread of its own, which a new serial queue always gets.
    private func begin(_ host: String) {
        DispatchQueue(label: "server name").async {
            let result = self.lookUp(host)
            for waiter in self.ended(host, result) { waiter.completeWith(result.mapError { $0 as any Error }) }
        }
    }

    /// Notes the end of a lookup, and returns the callers that get its result. A failure counts only if no other lookup is running.
    private func ended(
        _ host: String, _ result: Result<[SocketAddress], NameFailure>
    ) -> [EventLoopPromise<[SocketAddress]>] {
        state.withLock { state in
            guard var pending = state.names[host] else { return [] }
            pending.lookupCount -= 1
            let isLast = pending.lookupCount == 0
            if case .failure = result, !isLast {
                state.names[host] = pending
                return []
            }
            let waiters = Array(pending.waiters.values)
            pending.waiters = [:]
            state.names[host] = isLast ? nil : pending
            return waiters
        }
    }

    /// Fails a waiter whose time is over.
    private func leave(_ host: String, _ waiter: UInt64) {
        state.withLock { $0.names[host]?.waiters.removeValue(forKey: waiter) }?.fail(NameFailure.noReply)
    }
}

/// Why a name has no address now.
package enum NameFailure: Error, Sendable, Equatable {
    /// The system's resolver has not replied in time.
    case noReply
    /// The system's resolver says that there is none, in these words.
    case notFound(String)
}

extension NameFailure: CustomStringConvertible {
    package var description: String {
        switch self {
        case .noReply: "the name is not resolved in time"
        case .notFound(let reason): "the name has no address: \(reason)"
        }
    }
}
