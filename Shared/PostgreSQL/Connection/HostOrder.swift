import Storage
import Synchronization

/// The order in which a process tries the hosts of its database: the one that worked last comes first, and after a failure the next.
///
/// libpq would stop at a host that accepts a connection and closes it, as forwarders of a lost server do.
final class HostOrder: Sendable {
    private let first = Mutex(0)

    /// Connects to the first host for which `body` does not fail; tries each at most once.
    ///
    /// - Returns: the connection with the position of its host.
    /// - Throws: the refusal of a host that must not be used, or what all hosts answered.
    func connect<Connection>(
        to hosts: [DatabaseURL.Host], _ body: (DatabaseURL.Host) throws -> Connection
    ) throws -> (Connection, host: Int) {
        let start = ContinuousClock.now
        var place = first.withLock { $0 } % max(hosts.count, 1)
        var (refusal, failures): (StorageError?, [PostgreSQLError]) = (nil, [])
        for number in hosts.indices where number == 0 || ContinuousClock.now - start < PostgreSQLLimits.attemptMax {
            do {
                let connection = try body(hosts[place])
                first.withLock { $0 = place }
                return (connection, place)
            } catch let error as PostgreSQLError {
                failures.append(error)
            } catch let error as StorageError {
                refusal = refusal ?? error
            }
            place = (place + 1) % hosts.count
        }
        first.withLock { $0 = place }
        if let refusal { throw refusal }
        guard let last = failures.last, failures.count > 1 else {
            throw failures.last ?? PostgreSQLError(.lost, "there is no host")
        }
        throw PostgreSQLError(last.kind, failures.map(\.message).joined(separator: "; "))
    }

    /// Lets the next attempt begin after a host whose connection has failed.
    func leave(_ host: Int) {
        first.withLock { first in if first == host { first += 1 } }
    }
}
