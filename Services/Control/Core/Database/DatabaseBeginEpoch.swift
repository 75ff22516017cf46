import ArgumentParser
import InternalAPI
import PostgreSQL
import ServiceKit
import Storage
import TokenTables
import UserTables

/// `latchkeyctl database begin-epoch [--removed FILE] [--decisions FILE] [--admin ROLE]`
struct DatabaseBeginEpoch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "begin-epoch",
        abstract: "Ends what a restore of the database brought back. The services must be stopped.",
        discussion: """
            Run it after a restore by pg_dump or point-in-time recovery, and after a failover that lost commits. Ends every \
            session and every signing key, since the database knows nothing of what was signed out later. Users keep their \
            accounts and ids and sign in again. It reads TOKEN_DATABASE_URL and USER_DATABASE_URL as the services do. If it does \
            not print 'begun', run it again.

            \(LaterChanges.help)
            """)

    @OptionGroup var later: LaterChanges
    @OptionGroup var owner: OwnerOption

    func run() async throws {
        let lists = try later.read()
        let settings = try DatabaseSchema.settings()
        guard DatabaseSchema.given(in: settings).count == 2 else {
            throw CommandFailure(
                description:
                    "set TOKEN_DATABASE_URL and USER_DATABASE_URL, as for the services: an epoch begins for both")
        }
        // Both are locked before one is changed.
        let epoch = NewEpoch(
            sessions: try DatabaseSchema.token.openAlone(settings, admin: owner.admin),
            users: try DatabaseSchema.user.openAlone(settings, admin: owner.admin))
        for line in try epoch.begin(lists, now: UnixTime.seconds()) { print(line) }
    }
}

extension DatabaseSchema {
    /// Connects as the owner, while no service uses the schema and none can begin to.
    ///
    /// - Throws: `CommandFailure` with one line for the operator.
    fileprivate func openAlone(_ settings: ProcessSettings, admin: String?) throws -> WholeSchema {
        let configuration = try owner(settings, admin: admin)
        return try failing { () throws(StorageError) in
            try WholeSchema(configuration, migrations: migrations, isAlone: true)
        }
    }
}

/// The change of both schemas.
struct NewEpoch {
    let sessions: WholeSchema
    let users: WholeSchema

    /// Begins the epoch, and returns the lines that tell what was done.
    ///
    /// If it is interrupted between the two transactions, no user can sign in until it is repeated.
    func begin(_ lists: LaterChanges.Lists, now: Int64) throws -> [String] {
        let earlier = try [
            DatabaseSchema.token.failing { () throws(StorageError) in try sessions.read(RestoreEpoch.read) },
            DatabaseSchema.user.failing { () throws(StorageError) in try users.read(RestoreEpoch.read) },
        ]
        let newest = try DatabaseSchema.user.failing { () throws(StorageError) in
            try users.read(UserDatabase.newestRecord)
        }
        let floor = earlier.reduce(now) { max($0, $1 + 1) }
        let ended = try DatabaseSchema.token.failing { () throws(StorageError) in
            try sessions.write {
                try $0.noteServer(from: floor)
                return try TokenDatabase.beginEpoch(floor, by: OperatorName.current, now: now, in: $0)
            }
        }
        let taken = try DatabaseSchema.user.failing { () throws(StorageError) in
            try users.write {
                try $0.noteServer(from: floor)
                return try UserDatabase.beginEpoch(
                    floor, removed: lists.removed ?? [], decisions: lists.decisions, now: now, in: $0)
            }
        }
        return Self.lines(newest, ended, taken, lists, now: now) + [
            "epoch \(floor) begun: all users sign in again, and new signing keys are made when the services start",
            LaterChanges.secretsStay,
        ]
    }

    private static func lines(
        _ newest: Int64?, _ ended: TokenDatabase.EndedByEpoch, _ taken: UserDatabase.TakenByEpoch,
        _ lists: LaterChanges.Lists, now: Int64
    ) -> [String] {
        let age = newest.map { "the newest audit record of the restored users is of \(TimeText.text($0))" }
        let warning = newest.flatMap { LaterChanges.warning(of: "the restored database", from: $0, now: now) }
        let removed = lists.removed.map { "\($0.count) users stay removed; \(taken.users) of them were back" }
        let decisions = lists.decisions.map {
            "\($0.count) security decisions; \(taken.decisions) of them were made after the restored moment and are applied"
        }
        return [
            age, warning, "\(ended.sessions) sessions and \(ended.keys) signing keys ended", removed,
            decisions ?? LaterChanges.withoutDecisions + ". A second run applies no list: restore again before that",
        ].compactMap { $0 }
    }
}
