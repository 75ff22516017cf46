import CallDeadlines
package import Logging
import ServiceLifecycle
package import Storage

/// One schema of a PostgreSQL database, shared by the replicas of a service: nothing is acknowledged before it is durable.
package final class PostgreSQLDatabase: StorageDatabase {
    package let kind = DatabaseKind.postgreSQL
    private let pool: SessionPool
    private let fence: ServerFence
    private let migrations: [Migration]
    private let logger: Logger

    private init(pool: SessionPool, fence: ServerFence, migrations: [Migration], logger: Logger) {
        self.pool = pool
        self.fence = fence
        self.migrations = migrations
        self.logger = logger
    }

    /// Connects and checks that the server can be used; blocks its thread.
    ///
    /// - Parameters:
    ///   - migrations: the steps that the schema must have.
    ///   - unchangedTables: the tables whose rows the service adds and removes, but never changes.
    /// - Throws: `StorageError` with one line for the operator.
    package static func open(
        _ configuration: PostgreSQLConfiguration, migrations: [Migration], unchangedTables: [String] = [],
        logger: Logger
    ) throws(StorageError) -> PostgreSQLDatabase {
        try StorageError.converting {
            var sessions = [try Session.ofService(configuration), try Session.ofService(configuration)]
            try PoolerCheck.run(sessions[0], sessions[1])
            try Migration.require(migrations, in: sessions[0])
            if configuration.durability != .unchecked {
                try warn(of: sessions[0], logger)
                let rights = try RoleRights(of: sessions[0], unchangedTables: unchangedTables)
                try limit(rights, isProduction: configuration.isProduction, logger)
            }
            if configuration.opensAllAtStart {
                try ConnectionRoom(sessions[0]).require(configuration.connectionCount, open: sessions.count)
                while sessions.count < configuration.connectionCount {
                    sessions.append(try Session.ofService(configuration))
                }
            }
            return PostgreSQLDatabase(
                pool: SessionPool(configuration, sessions), fence: configuration.fence, migrations: migrations,
                logger: logger)
        }
    }

    /// Logs by what the server can lose an acknowledged commit although it is used.
    private static func warn(of session: Session, _ logger: Logger) throws {
        if let weakness = session.facts.weakness {
            logger.warning("postgresql.not_durable_by_itself", metadata: ["finding": "\(weakness)"])
        }
        guard !session.facts.hasStandby else { return }
        let standbys = try session.rows("SELECT count(*) FROM pg_stat_replication").first?.integer(0) ?? 0
        guard standbys > 0 else { return }
        logger.warning(
            "postgresql.standby_not_awaited",
            metadata: [
                "standbys": "\(standbys)",
                "finding":
                    "no commit waits for a standby (synchronous_standby_names is empty), so a failover can lose commits",
            ])
    }

    /// Refuses in production a role with more rights than `database migrate` grants, and logs it otherwise.
    private static func limit(_ rights: RoleRights, isProduction: Bool, _ logger: Logger) throws {
        guard let finding = rights.finding else { return }
        guard !isProduction else {
            throw StorageError(
                .other,
                "\(finding); production refuses all but the rights that latchkeyctl database migrate grants. Take the others "
                    + "from the role, or name another one in the URL and run latchkeyctl database migrate --admin with the owner"
            )
        }
        logger.warning("postgresql.role_has_too_many_rights", metadata: ["finding": "\(finding)"])
    }

    package func read<Value: Sendable>(
        _ body: @escaping @Sendable (any StatementReader) throws -> Value
    ) async throws -> Value {
        try await pool.run(before: nil) { try body($0) }
    }

    package func readBeforeWrite<Value: Sendable>(
        _ body: @escaping @Sendable (any StatementReader) throws -> Value
    ) async throws -> Value {
        try await read(body)
    }

    /// The commit of a transaction that only reads waits like that of a change.
    package func readDurably<Value: Sendable>(
        _ body: @escaping @Sendable (any StatementReader) throws -> Value
    ) async throws -> Value {
        try await write { try body($0) }
    }

    package func write<Value: Sendable>(
        _ body: @escaping @Sendable (any Transaction) throws -> Value
    ) async throws -> Value {
        try await pool.run(before: CallDeadline.current) { try $0.transaction(body) }
    }

    /// A commit of its own waits as those that could be read do.
    package func confirm() async throws { try await write { try $0.run("SELECT 1") } }

    /// Returns why the database cannot be used now: the server does not respond, or the schema has been changed for another release.
    package func problem() async -> String? {
        let migrations = migrations
        do {
            try await pool.run(before: nil) { try Migration.require(migrations, in: $0) }
            return nil
        } catch let error as StorageError {
            return error.message
        } catch {
            return "\(error)"
        }
    }

    /// Does nothing: removed rows go with the server's own vacuum.
    package func wipeRemoved() {}

    /// Returns the server's time, as Unix time in milliseconds.
    package func clockMilliseconds() async throws -> Int64 {
        try await read {
            try $0.rows("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint").first?.integer(0) ?? 0
        }
    }

    package func exchangeServerRank(_ other: Int64?) -> Int64? { fence.exchange(other) }

    /// Closes the connections after the calls that run.
    func shutDown() async throws { try await pool.shutDown() }

    /// Runs until graceful shutdown, then until the calls that run have ended.
    package func run() async throws {
        do { try await gracefulShutdown() } catch is CancellationError {}
        try await shutDown()
        logger.debug("postgresql.stopped")
    }
}
