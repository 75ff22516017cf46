import Logging
package import RedisClient
import ServiceLifecycle
import Synchronization

/// Signs in at every Redis server that the Sentinels name, with the account of this process, and compares their memory settings: a
/// server that lacks the account would be of no use after the next failover.
package final class RedisNodeWatch: Service {
    /// The pause between two checks.
    private static let interval: Duration = .seconds(10)

    private let redis: RedisClient
    private let logger: Logger
    private let lines = Mutex<[Line]>([])

    /// A problem of one node or of all, in one sentence.
    package struct Line: Sendable, Equatable {
        package let text: String
        /// Whether it stays until the operator acts; a node that is away may come back.
        package let isFault: Bool
    }

    init(redis: RedisClient, logger: Logger) { (self.redis, self.logger) = (redis, logger) }

    /// The faults of the last check, or `nil` if it found none.
    var problem: String? {
        let faults = lines.withLock { $0.filter(\.isFault).map(\.text) }
        return faults.isEmpty ? nil : faults.joined(separator: "; ")
    }

    package func run() async throws {
        await repeatUntilShutdown(every: Self.interval) { await self.look() }
    }

    private func look() async {
        let nodes: [RedisNode]
        do throws(RedisError) { nodes = try await redis.nodes() } catch {
            // Without Sentinels that answer the client itself says so; an account that may not ask them has to be told.
            guard error.code == .reply || error.code == .authenticationFailed else { return }
            return note([Line(text: "the Sentinels do not list the servers: \(error.message)", isFault: true)])
        }
        note(Self.judged(nodes))
    }

    private func note(_ found: [Line]) {
        let before = lines.withLock { lines in
            defer { lines = found }
            return lines
        }
        for line in found where !before.contains(line) {
            logger.log(
                level: line.isFault ? .error : .warning, "redis.node_unfit", metadata: ["problem": "\(line.text)"])
        }
        if found.isEmpty, !before.isEmpty { logger.info("redis.nodes_fit") }
    }

    /// Returns what is wrong with the nodes: refused accounts, settings that differ, and nodes that are away.
    package static func judged(_ nodes: [RedisNode]) -> [Line] {
        var lines: [Line] = []
        var memories: [(RedisAddress, RedisNode.Memory)] = []
        for node in nodes {
            switch node.memory {
            case .success(let memory): memories.append((node.address, memory))
            case .failure(let error) where error.code == .authenticationFailed:
                lines.append(Line(text: "\(node.address) refuses this account: \(error.message)", isFault: true))
            case .failure(let error) where error.code == .reply:
                lines.append(Line(text: "\(node.address) refuses INFO memory: \(error.message)", isFault: true))
            case .failure(let error):
                lines.append(Line(text: "\(node.address) is away: \(error.message)", isFault: false))
            }
        }
        return lines + differences("maxmemory", memories.map { ($0.0, "\($0.1.max)") })
            + differences("maxmemory-policy", memories.map { ($0.0, $0.1.policy) })
    }

    private static func differences(_ setting: String, _ values: [(RedisAddress, String)]) -> [Line] {
        guard Set(values.map(\.1)).count > 1 else { return [] }
        let list = values.map { "\($0.1) at \($0.0)" }.joined(separator: ", ")
        return [Line(text: "\(setting) differs: \(list). Set the same on all", isFault: true)]
    }
}
