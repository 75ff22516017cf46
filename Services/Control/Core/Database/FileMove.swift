import CryptoPrimitives
import PostgreSQL
import SQLiteStore
import Storage

/// The copy of a file into a schema, after which the file is marked as moved.
///
/// The rows are copied in one transaction, between two short ones: the first notes that a copy has begun, so that no service uses
/// the schema, and the last one that it is complete. A copy that was killed leaves at most the note; then the next one begins
/// again. A file is marked only after the last of them.
struct FileMove {
    let file: ExclusiveFile
    let schema: DatabaseSchema
    let rules: CopyRules
    let configuration: PostgreSQLConfiguration
    let print: (String) -> Void

    private var path: String { file.path }
    /// The name of the target for the operator and for the mark in the file.
    private var place: String { "postgres://\(configuration.url.place), schema \(configuration.schema)" }

    /// - Parameter now: Unix time in seconds.
    /// - Throws: `CommandFailure`, `StorageError` or `FileFailure`, for the operator.
    func run(now: Int64) throws {
        if let place = try file.movedTo() {
            guard place == self.place, try target().state()?.isFinished == true else {
                throw CommandFailure(description: "\(path): its data was moved to \(place) before; nothing was copied")
            }
            return print("\(path) was copied to \(place) before: nothing to do")
        }
        let reader = FileReader(file: file, plan: try CopyPlan(file.tables(), target().columns(), rules))
        let audit = try file.verifyAudit()
        print("\(path): the audit is sound (\(audit.records) records). Reading all rows")
        let contents = try reader.check()
        try fill(reader, contents, audit, now: now)
        try file.markMoved(to: place)
        print("copied \(path) to \(place). The file is marked as moved: services that open it refuse to start")
    }

    /// Makes the schema a complete copy, unless it is one, while no service can use it.
    private func fill(
        _ reader: FileReader, _ contents: FileReader.Contents, _ audit: AuditVerification.Slot, now: Int64
    ) throws {
        let target = try target()
        try target.beAlone()
        guard try !isCopied(contents, to: target) else { return }
        let empty = reader.plan.tables.map(\.name).filter { !CopyRules.startedTables.contains($0) }
        if let table = try target.begin(path, digest: contents.digest, emptyTables: empty, now: now) {
            throw CommandFailure(
                description: "\(place) is not empty: \(table) has rows. Copy into a schema that no service has used")
        }
        let load = try BulkLoad(configuration)
        try copy(reader, contents, by: load)
        try verify(audit)
        try load.finish(now: now)
    }

    private func target() throws(StorageError) -> CopyTarget {
        try CopyTarget(configuration, migrations: schema.migrations)
    }

    /// Returns whether a copy of the same contents is complete, which only the mark in the file lacks.
    private func isCopied(_ contents: FileReader.Contents, to target: CopyTarget) throws -> Bool {
        guard let state = try target.state() else { return false }
        guard state.isFinished else {
            guard state.path == path else {
                throw CommandFailure(
                    description: "\(place) has an unfinished copy of \(state.path). Finish that one, or drop the schema"
                )
            }
            print("an earlier copy was not finished: beginning again")
            return false
        }
        guard state.path == path, state.digest == contents.digest else {
            throw CommandFailure(
                description: "\(place) has a finished copy of \(state.path) as it was then; nothing was copied")
        }
        return true
    }

    private func copy(_ reader: FileReader, _ contents: FileReader.Contents, by load: BulkLoad) throws {
        let names = reader.plan.tables.map(\.name)
        try load.begin(emptying: names)
        var digest = SHA256Stream()
        for table in reader.plan.tables {
            digest.update(Array("\(table.name)\n".utf8).span)
            let all = contents.rows[table.name] ?? 0
            var progress = CopyProgress(table: table.name, rows: all, print: print)
            let count = try load.copy(into: table.name, table.columns.map(\.target.name)) { send in
                try reader.read(table) { part, rows in
                    digest.update(part.span)
                    try send(part)
                    progress.note(rows)
                }
            }
            guard count == all else {
                throw CommandFailure(description: "\(table.name): \(count) of \(all) rows arrived; nothing was copied")
            }
        }
        guard digest.finish() == contents.digest else {
            throw CommandFailure(description: "\(path) has changed meanwhile; nothing was copied")
        }
        try continueNumbers(of: reader.plan, by: load)
        try load.commit()
        try load.analyze(names)
    }

    /// Continues the numbers of rows that the server gives where the file has ended, so that no number is used twice.
    private func continueNumbers(of plan: CopyPlan, by load: BulkLoad) throws {
        for table in plan.tables {
            for column in table.columns where column.target.isIdentity {
                try load.setIdentity(of: column.target.name, in: table.name, last: try file.lastNumber(of: table.name))
            }
        }
    }

    private func verify(_ audit: AuditVerification.Slot) throws {
        let slots = try target().verifyCopiedAudit()?.slots ?? []
        guard slots.count == 1, let slot = slots.first, slot == audit else {
            throw CommandFailure(description: "the audit in \(place) is not the file's; services do not use the copy")
        }
        print("\(place): the audit is sound (\(slot.records) records)")
    }
}
