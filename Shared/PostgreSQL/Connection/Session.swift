import CPostgreSQL
import Storage

/// A connection that is ready for transactions, with what it knows of the database. It is used by one thread at a time.
final class Session: StatementReader {
    let kind = DatabaseKind.postgreSQL
    let connection: PQConnection
    let facts: ServerFacts
    let schema: String
    /// The rank of its server; `nil` if that is not checked.
    let rank: Int64?
    private let limits: SessionLimits
    /// The position of its host in the URL.
    private(set) var host = 0
    let metrics = PostgreSQLMetrics()
    /// The chain of audit records that only this connection continues; `nil` until the first record.
    var auditSlot: AuditSlot?
    /// Whether the connection is only good for being closed.
    private(set) var isBroken = false

    /// Connects to a host and prepares the connection.
    private init(
        _ configuration: PostgreSQLConfiguration, _ limits: SessionLimits, host: DatabaseURL.Host, isService: Bool
    ) throws {
        self.limits = limits
        connection = try configuration.connect(to: host, applicationName: configuration.schema)
        schema = configuration.schema
        let deadline = ContinuousClock.now + SessionLimits.serving.replyMax
        try connection.runScript(Self.settings(schema: schema, limits), until: deadline)
        try connection.enterPipelineMode()
        facts = try PoolerCheck.facts(of: connection, until: deadline)
        try facts.require(configuration.durability)
        rank =
            isService
            ? try configuration.fence.admit(
                try ServerIdentity.read(of: connection, until: deadline), schema: schema, place: host.place,
                configuration.logger)
            : nil
        metrics.recordOpened()
    }

    /// Connects to the first host that can be used, which blocks the thread.
    ///
    /// - Throws: `PostgreSQLError`, `StorageError` for a server that must not be used.
    static func connect(
        _ configuration: PostgreSQLConfiguration, _ limits: SessionLimits = .serving, isService: Bool = false
    ) throws -> Session {
        let (session, host) = try configuration.hosts.connect(to: configuration.url.hosts) {
            try Session(configuration, limits, host: $0, isService: isService)
        }
        session.host = host
        return session
    }

    /// Connects as a service, which no command that must be alone with the schema can do meanwhile.
    static func ofService(_ configuration: PostgreSQLConfiguration) throws -> Session {
        if configuration.fence.beginAskingAll() { askAll(configuration) }
        let session = try connect(configuration, isService: true)
        try SchemaUse(of: configuration.schema).begin(in: session)
        return session
    }

    /// Notes the rank of each host's server, so that the first connection is not to a server that another one has replaced.
    private static func askAll(_ configuration: PostgreSQLConfiguration) {
        let hosts = configuration.url.hosts
        guard hosts.count > 1 else { return }
        let start = ContinuousClock.now
        for host in hosts where ContinuousClock.now - start < PostgreSQLLimits.attemptMax {
            do { _ = try Session(configuration, .serving, host: host, isService: true) } catch {
                // The connection that follows reports it, if no other host can be used.
            }
        }
    }

    /// Returns the settings of a connection as statements, since a pooler may refuse them as options of the connection.
    private static func settings(schema: String, _ limits: SessionLimits) -> String {
        """
        SET client_min_messages = warning;
        SET search_path = "\(schema)";
        SET default_transaction_isolation = 'read committed';
        SET lock_timeout = \(limits.lockMilliseconds);
        SET statement_timeout = \(limits.statementMilliseconds);
        SET idle_in_transaction_session_timeout = \(limits.idleTransactionMilliseconds)
        """
    }

    func results(_ statements: [Statement]) throws -> [Rows] { try run(statements).map { Rows($0) } }

    /// Sends statements in one go and returns their results.
    func run(_ statements: [Statement]) throws(PostgreSQLError) -> [PQResult] {
        do { return try connection.run(statements, until: .now + limits.replyMax) } catch {
            if !error.keepsConnection { isBroken = true }
            throw error
        }
    }
}
