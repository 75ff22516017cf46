import GRDB
import InternalAPI

/// Looks into the databases of a stack, beside its processes: the files of SQLite, or for what the rounds need also PostgreSQL.
package struct DatabaseCheck: Sendable {
    private let folder: String
    private let database: StackDatabase?

    package init(of stack: LatchkeyStack) { (folder, database) = (stack.dataDirectory, stack.database) }

    /// The records of acknowledged operations in an audit and its tables.
    package struct Records: Sendable {
        package let openedSessions: Set<String>
        package let revokedSessions: Set<String>
        package let createdUsers: Set<String>
    }

    /// Returns what is broken or incomplete in either database (I-12); empty if there is nothing.
    package func findings() async throws -> [String] {
        let broken = database == nil ? try brokenRows("tokens.sqlite") + brokenRows("users.sqlite") : []
        return try await broken + findings("token", queries.token) + findings("user", queries.user)
    }

    /// Returns latchkeyctl's findings about the two audits; empty if they are intact.
    package func auditFindings() async throws -> [String] {
        var findings: [String] = []
        // In PostgreSQL one command verifies both.
        let files = database == nil ? ["'\(folder)/tokens.sqlite'", "'\(folder)/users.sqlite'"] : [""]
        let environment = await database?.environmentOfCommands() ?? [:]
        for file in files {
            let verified = try await Shell.run(
                "'\(LatchkeyStack.binaries)/latchkeyctl' audit verify \(file)", in: folder, environment: environment)
            if !verified.isSuccess { findings.append("latchkeyctl audit verify: \(verified.output)") }
        }
        return findings
    }

    /// Rotations and their audit, for a policy with `audit.refresh: full`; empty when there is a record of each.
    package func rotationFindings() async throws -> [String] { try await findings("token", queries.rotations) }

    /// All that `tokens.sqlite` holds of a user, counted: what changes together has to be there together.
    ///
    /// Audit records stand under the names of their events.
    package func records(ofUser user: String) throws -> [String: Int] {
        let id = String(user.suffix(32))
        return try read("tokens.sqlite") { database in
            var counts: [String: Int] = [:]
            for (name, query) in Self.userRecordQueries {
                let count = try Int.fetchOne(database, sql: query, arguments: [id]) ?? 0
                if count > 0 { counts[name] = count }
            }
            let events = try Row.fetchAll(
                database, sql: "SELECT event, count(*) FROM audit WHERE lower(hex(user_id)) = ? GROUP BY event",
                arguments: [id])
            for event in events { counts[event[0]] = event[1] }
            return counts
        }
    }

    /// Counts everything in `users.sqlite` about the user with a phone number or email address, like `records(ofUser:)`.
    package func records(ofIdentity identity: String) throws -> [String: Int] {
        try read("users.sqlite") { database in
            var counts: [String: Int] = [:]
            for (name, query) in Self.identityRecordQueries {
                let count = try Int.fetchOne(database, sql: query, arguments: [identity]) ?? 0
                if count > 0 { counts[name] = count }
            }
            let events = try Row.fetchAll(
                database,
                sql: """
                    SELECT event, count(*) FROM audit
                    WHERE subject = (SELECT pseudonym FROM users WHERE \(Self.ofIdentity)) AND event <> 'user.looked_up'
                    GROUP BY event
                    """,
                arguments: [identity])
            for event in events { counts[event[0]] = event[1] }
            return counts
        }
    }

    /// The number of the newest record in user-service's audit.
    package func newestUserRecord() throws -> Int {
        try read("users.sqlite") { try Int.fetchOne($0, sql: "SELECT max(number) FROM audit") ?? 0 }
    }

    /// How many codes were sent, and how many guesses were compared for each number, by the audit after a record of it.
    ///
    /// otp-service leaves a record with each comparison, in the script that makes it.
    package func codes(after record: Int) throws -> (sent: Int, compared: [Int]) {
        try read("users.sqlite") { database in
            let sent = try Int.fetchOne(
                database, sql: "SELECT count(*) FROM audit WHERE number > ? AND event = 'otp.sent'", arguments: [record]
            )
            let compared = try Int.fetchAll(
                database,
                sql: """
                    SELECT count(*) FROM audit WHERE number > ? AND event IN ('otp.wrong_code', 'otp.approved')
                    GROUP BY subject
                    """, arguments: [record])
            return (sent ?? 0, compared)
        }
    }

    /// How many users of another system are there with all that they came with, each with an address and a password.
    package func movedIn() throws -> Int {
        try read("users.sqlite") { database in
            try Int.fetchOne(
                database,
                sql: """
                    SELECT count(*) FROM users WHERE legacy_id IS NOT NULL AND id IN (SELECT user_id FROM passwords)
                    AND id IN (SELECT user_id FROM identities)
                    """) ?? 0
        }
    }

    /// How many ends Redis may not know yet.
    package func unpublishedRevocations() throws -> Int {
        try read("tokens.sqlite") { database in
            try Int.fetchOne(database, sql: "SELECT count(*) FROM revocations WHERE published = 0") ?? 0
        }
    }

    /// How many messages of user-service's wait to be confirmed.
    ///
    /// - Parameter lane: nil: of all.
    package func waitingMessages(of lane: String? = nil) throws -> Int {
        try read("users.sqlite") {
            try Int.fetchOne($0, sql: "SELECT count(*) FROM outbox WHERE lane = coalesce(?, lane)", arguments: [lane])
                ?? 0
        }
    }

    /// How many rotations of a session the audit tells of, by `sid`; for a policy with `audit.refresh: full`.
    package func rotations() async throws -> [String: Int] {
        let rows = try await rows("token", queries.rotationsBySession).map { $0.split(separator: "|") }
        return Dictionary(rows.map { (String($0[0]), Int($0[1]) ?? 0) }) { $1 }
    }

    /// Acts by the names that clients know: `sid`, and the hex digits of user ids.
    package func records() async throws -> Records {
        Records(
            openedSessions: Set(try await rows("token", queries.sessions(of: "session.opened"))),
            revokedSessions: Set(try await rows("token", queries.sessions(of: "session.revoked"))),
            createdUsers: Set(try await rows("user", queries.createdUsers)))
    }

    private static let userRecordQueries = [
        "sessions": "SELECT count(*) FROM sessions WHERE \(ofUser)",
        "grants": "SELECT count(*) FROM used_grants WHERE session IN (SELECT locator FROM sessions WHERE \(ofUser))",
        "generations": "SELECT sum(generation) FROM sessions WHERE \(ofUser)",
        "ended": "SELECT sum(is_revoked) FROM sessions WHERE \(ofUser)",
        "revocations": "SELECT count(*) FROM revocations WHERE sid IN (SELECT sid FROM sessions WHERE \(ofUser))",
        "epoch": "SELECT epoch FROM user_epochs WHERE \(ofUser)",
        "reauthenticated": "SELECT count(*) FROM sessions WHERE authenticated_at > created_at AND \(ofUser)",
        "stepped up":
            "SELECT count(*) FROM sessions WHERE factors & \(AuthenticationFactors.pop.rawValue) <> 0 AND \(ofUser)",
    ]
    private static let ofUser = "lower(hex(user_id)) = ?"

    private static let identityRecordQueries = [
        "users": "SELECT count(*) FROM users WHERE \(ofIdentity)",
        "identities": "SELECT count(*) FROM identities WHERE value = ?",
        "resolutions": "SELECT count(*) FROM resolutions WHERE user_\(ofIdentity)",
        "renamed": "SELECT count(*) FROM users WHERE name <> 'Betty' AND \(ofIdentity)",
        "inactive": "SELECT count(*) FROM users WHERE is_active = 0 AND \(ofIdentity)",
        "deletions": "SELECT count(*) FROM users WHERE deletion_due_at IS NOT NULL AND \(ofIdentity)",
        "epochs": "SELECT epoch FROM users WHERE \(ofIdentity)",
        "versions": "SELECT version FROM users WHERE \(ofIdentity)",
        "passwords": "SELECT count(*) FROM passwords WHERE user_\(ofIdentity)",
        "registrations": "SELECT count(*) FROM registrations WHERE address = ?",
        "invitations": "SELECT count(*) FROM invitations WHERE value = ?",
        "links": "SELECT count(*) FROM account_links WHERE address = ?",
        // They contain no user, so all rows count.
        "answers": "SELECT count(*) FROM first_answers WHERE ? <> ''",
    ]
    private static let ofIdentity = "id = (SELECT user_id FROM identities WHERE value = ?)"

    private var queries: CheckQueries { CheckQueries(database == nil ? .sqlite : .postgreSQL) }

    /// Runs queries that each count rows which must not be there.
    private func findings(_ service: String, _ queries: [String: String]) async throws -> [String] {
        let counts = queries.map { what, query in "SELECT '\(what)', (\(query))" }
        return try await rows(service, counts.joined(separator: " UNION ALL ")).sorted().compactMap { row in
            let parts = row.split(separator: "|")
            return parts[1] == "0" ? nil : "\(service): \(parts[1]) \(parts[0])"
        }
    }

    private func rows(_ service: String, _ sql: String) async throws -> [String] {
        if let database { return try await database.rows(of: service, sql) }
        return try read("\(service)s.sqlite") { database in
            try Row.fetchAll(database, sql: sql).map { row in
                row.databaseValues.map { String.fromDatabaseValue($0) ?? "\(Int.fromDatabaseValue($0) ?? 0)" }
                    .joined(separator: "|")
            }
        }
    }

    private func brokenRows(_ file: String) throws -> [String] {
        try read(file) { database in
            let integrity = try String.fetchAll(database, sql: "PRAGMA integrity_check")
            let orphans = try Row.fetchAll(database, sql: "PRAGMA foreign_key_check")
            return (integrity == ["ok"] ? [] : ["\(file): integrity_check: \(integrity.prefix(3))"])
                + (orphans.isEmpty ? [] : ["\(file): foreign_key_check: \(orphans.count) rows"])
        }
    }

    func read<Value>(_ file: String, _ body: (Database) throws -> Value) throws -> Value {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(5)
        return try DatabaseQueue(path: folder + "/" + file, configuration: configuration).read(body)
    }
}
