import CryptoPrimitives
import FoundationEssentials
import GRDB
import InternalAPI
import Logging
import Policies
import PostgreSQL
import Storage
import TestSupport
import TokenCore
import TokenPostgres
import TokenSQLite

/// The database of a stack's token-service, filled with sessions beside it.
struct SessionFile {
    /// The space in the file that one session takes.
    struct Room {
        /// All tables and indexes but the audit and the spent grants.
        let sessionBytes: Double
        /// A spent grant's, which goes an hour after the sign-in.
        let grantBytes: Double
        /// The bytes of the audit, which the policy keeps for a year.
        let auditBytes: Double
    }

    private static let grantSeconds: Int64 = 60
    /// For the filling alone; token-service has its own.
    private static let connections = 16
    private static let millisecondsOfAYear: UInt64 = 365 * 86_400_000

    private let path: String
    private let database: StackDatabase?
    private let policy: Policy
    private let supply: SessionSupply

    init(of stack: LatchkeyStack, policy: Policy) throws {
        path = stack.dataDirectory + "/tokens.sqlite"
        database = stack.database
        self.policy = policy
        let text = try String(contentsOfFile: stack.dataDirectory + "/secrets/token_storage_key", encoding: .utf8)
        let logger = Logger(label: "bench")
        let storage =
            try database.map { try TokenPostgres.open(Self.configuration($0), policy: policy, logger: logger) }
            ?? TokenSQLite.open(path: path, policy: policy, logger: logger)
        supply = SessionSupply(
            store: storage.sessions, policy: policy, storageRing: try KeyRing(parsing: text))
    }

    private static func configuration(_ database: StackDatabase) throws -> PostgreSQLConfiguration {
        let url = try DatabaseURL(database.environment["TOKEN_DATABASE_URL"] ?? "")
        var configuration = PostgreSQLConfiguration(
            url: url, schema: TokenPostgres.schema, isProduction: false, durability: .unchecked)
        configuration.connectionCount = connections
        return configuration
    }

    /// Opens a session for each of the users of these numbers.
    ///
    /// - Returns: their refresh tokens.
    func fill(_ indices: Range<Int>, dialect: String = RefreshCall.native.dialect) async throws -> [String] {
        let now = Report.now()
        let grants = indices.map { grant($0, now: now) }
        let request = IssueRequest(
            grant: "", dialect: dialect, userAgent: "HowRU/2.1 (iPhone; iOS 19.0)", address: "203.0.113.77")
        guard let database else {
            let tokens = try await supply.open(grants, as: request, now: now)
            try fold()
            return tokens
        }
        // Nothing of it may be lost but by a failure of power, and then it is filled again.
        try database.server.set("synchronous_commit = off")
        let tokens = try await supply.open(grants, as: request, now: now)
        try database.server.set("synchronous_commit = on")
        _ = try await database.rows(of: "token", "ANALYZE; CHECKPOINT")
        return tokens
    }

    private func grant(_ index: Int, now: Int64) -> Grant {
        Grant(
            id: Hex.encode(SecureRandom.bytes(16)), userID: policy.userIDPrefix + Self.userDigits(now: now), epoch: 0,
            claims: UserClaims(phone: SignInNumbers.number(index), role: "user", version: 1), method: "sms",
            isNewUser: true, expiresAt: now + Self.grantSeconds)
    }

    /// A UUIDv7 (RFC 9562 §5.7) of some moment of the last year: sessions do not begin in the order of their users.
    private static func userDigits(now: Int64) -> String {
        let age = SecureRandom.number(below: millisecondsOfAYear)
        let milliseconds = UInt64(clamping: now).multipliedReportingOverflow(by: 1000).partialValue &- age
        let time = (0..<6).reversed().map { UInt8(truncatingIfNeeded: milliseconds >> UInt64(8 * $0)) }
        var bytes = time + SecureRandom.bytes(10)
        bytes[6] = bytes[6] & 0x0F | 0x70
        bytes[8] = bytes[8] & 0x3F | 0x80
        return Hex.encode(bytes)
    }

    /// Brings the log into the file, so that what is measured next begins with neither.
    private func fold() throws {
        let queue = try DatabaseQueue(path: path)
        try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_checkpoint(FULL)") }
        try queue.close()
    }

    /// The size of the tables and indexes of the sessions alone, in PostgreSQL.
    func sessionBytes(of database: StackDatabase) async throws -> Double {
        let sizes = try await database.rows(
            of: "token",
            """
            SELECT sum(pg_total_relation_size(c.oid)) FROM pg_class AS c
            WHERE relnamespace = 'latchkey_token'::regnamespace AND relkind = 'r'
            AND relname NOT IN ('spent_grants', 'audit')
            """)
        return Double(sizes.first ?? "") ?? 0
    }

    /// Reads SQLite's own count of the pages of each table and index.
    func room(sessions: Int) throws -> Room {
        var configuration = Configuration()
        configuration.readonly = true
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        let rows = try queue.read { database in
            try Row.fetchAll(database, sql: "SELECT name, sum(pgsize) AS bytes FROM dbstat GROUP BY name")
        }
        try queue.close()
        var (all, grants, audit) = (0.0, 0.0, 0.0)
        for row in rows {
            let name = try row.decode(String.self, forColumn: "name")
            let bytes = try row.decode(Double.self, forColumn: "bytes") / Double(sessions)
            all += bytes
            if name.hasPrefix("spent_grants") { grants += bytes }
            if name.hasPrefix("audit") { audit += bytes }
        }
        return Room(sessionBytes: all - grants - audit, grantBytes: grants, auditBytes: audit)
    }
}
