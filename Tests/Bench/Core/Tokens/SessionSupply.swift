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
import TokenTables

/// Opens sessions by the thousand in token-service's storage, with the code that opens each of its own, but signs nothing:
/// databases for measurements.
struct SessionSupply: Sendable {
    /// Sessions that wait for their commits at once.
    private static let waitingMax = 2048

    private let policy: Policy
    private let store: any SessionStore
    private let openings: SessionOpenings

    /// - Parameter storageRing: `token_storage_key`.
    init(store: any SessionStore, policy: Policy, storageRing: KeyRing) {
        self.policy = policy
        self.store = store
        openings = SessionOpenings(ring: storageRing, sessionsMax: policy.sessions.perUserMax)
    }

    /// A grant that opened no session: it was used before, or there is no such dialect.
    struct NotOpened: Error {}

    /// Opens a session for each grant.
    ///
    /// - Parameters:
    ///   - request: what the client says of itself, the same for all; its own grant does not count.
    ///   - now: Unix time in seconds.
    /// - Returns: the refresh tokens, in no order.
    func open(_ grants: [Grant], as request: IssueRequest, now: Int64) async throws -> [String] {
        var tokens: [String] = []
        for start in stride(from: 0, to: grants.count, by: Self.waitingMax) {
            tokens += try await concurrently(min(Self.waitingMax, grants.count - start)) { number in
                try await open(grants[start + number], request, now)
            }
        }
        return tokens
    }

    private func open(_ grant: Grant, _ request: IssueRequest, _ now: Int64) async throws -> String {
        guard let profile = policy.profile(forDialect: request.dialect) else { throw NotOpened() }
        let (opening, token) = try openings.opening(
            grant, request, nil, profile, locator: try await store.reserveLocator(), now: now)
        guard case .opened = try await store.open(opening, now: now) else { throw NotOpened() }
        return token.text(prefix: profile.refresh.prefix)
    }
}

/// The database of a stack's token-service, filled with sessions beside it.
struct SessionDatabase {
    private static let grantSeconds: Int64 = 60
    private static let millisecondsOfAYear: UInt64 = 365 * 86_400_000

    private let path: String
    private let database: StackDatabase?
    private let policy: Policy
    private let supply: SessionSupply

    init(of stack: LatchkeyStack, policy: Policy) throws {
        path = stack.dataDirectory + "/tokens.sqlite"
        database = stack.database
        self.policy = policy
        let logger = Logger(label: "bench")
        let storage =
            try database.map { try TokenDatabase.open(Self.configuration($0), policy: policy, logger: logger) }
            ?? TokenDatabase.open(path: path, policy: policy, logger: logger)
        supply = SessionSupply(
            store: storage.sessions, policy: policy, storageRing: try stack.keyRing("token_storage_key"))
    }

    private static func configuration(_ database: StackDatabase) throws -> PostgreSQLConfiguration {
        let url = try DatabaseURL(database.environment["TOKEN_DATABASE_URL"] ?? "")
        return PostgreSQLConfiguration(
            url: url, schema: TokenDatabase.schema, isProduction: false, durability: .unchecked)
    }

    /// Opens a session for each of the users of these numbers.
    func fill(_ indices: Range<Int>, dialect: String = RefreshCall.native.dialect) async throws -> [RefreshableSession]
    {
        let now = Report.now()
        let grants = indices.map { grant($0, now: now) }
        let request = IssueRequest(
            grant: "", dialect: dialect, userAgent: "HowRU/2.1 (iPhone; iOS 19.0)", address: "203.0.113.77")
        // Nothing of it may be lost but by a failure of power, and then it is filled again.
        try database?.server.set("synchronous_commit = off")
        let tokens = try await supply.open(grants, as: request, now: now)
        try database?.server.set("synchronous_commit = on")
        _ = try await database?.rows(of: "token", "ANALYZE; CHECKPOINT")
        // The next measurement begins with an empty write-ahead log.
        if database == nil { try inFile { try $0.execute(sql: "PRAGMA wal_checkpoint(FULL)") } }
        return tokens.map { RefreshableSession(token: $0) }
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

    /// The size of the tables and indexes but the audit, and the used grants, which go an hour after the sign-in.
    func bytes() async throws -> Double {
        guard let database else {
            let sql = "SELECT sum(pgsize) FROM dbstat WHERE name NOT LIKE 'used_grants%' AND name NOT LIKE 'audit%'"
            return try inFile { try Double.fetchOne($0, sql: sql) } ?? 0
        }
        let sizes = try await database.rows(
            of: "token",
            """
            SELECT sum(pg_total_relation_size(c.oid)) FROM pg_class AS c
            WHERE relnamespace = 'latchkey_token'::regnamespace AND relkind = 'r'
            AND relname NOT IN ('used_grants', 'audit')
            """)
        return Double(sizes.first ?? "") ?? 0
    }

    private func inFile<Value>(_ body: (Database) throws -> Value) throws -> Value {
        let queue = try DatabaseQueue(path: path)
        let value = try queue.writeWithoutTransaction(body)
        try queue.close()
        return value
    }
}
