import FoundationEssentials
import InternalAPI
import PostgreSQL
import SQLiteStore
import ServiceKit
import Storage
import TokenCore
import TokenTables
import UserCore
import UserTables

/// Checks the database of token- or user-service as the service opens it: version, durability, encoding, schema, rights and room for
/// its connections.
struct DoctorDatabase: Sendable {
    static let tokenSource = StorageSource.chosen(
        by: DatabaseSettings.token.url, set: TokenDatabase.server, unset: TokenDatabase.file)
    static let userSource = StorageSource.chosen(
        by: DatabaseSettings.user.url, set: UserDatabase.server, unset: UserDatabase.file)

    let process: Caller
    let context: ProcessContext
    let warnings: CollectedWarnings

    private var variable: String { (process == .token ? DatabaseSettings.token : DatabaseSettings.user).url }

    func findings() async -> [Finding] {
        guard context.settings.variable(variable) != nil else { return file() }
        do {
            let engine = try await engine()
            let cautions = warnings.take().map { Finding.warning("database", $0) }
            guard let database = engine as? PostgreSQLDatabase else { return cautions }
            let time = try await clock(database)
            return [.ok("database", "\(variable): version, encoding, durability, schema and rights"), time] + cautions
        } catch {
            return Finding.faults("database", error) + warnings.take().map { Finding.warning("database", $0) }
        }
    }

    private func engine() async throws -> any StorageEngine {
        switch process {
        case .token: try await Self.tokenSource.opened(context).engine
        default: try await Self.userSource.opened(context).engine
        }
    }

    private func clock(_ database: PostgreSQLDatabase) async throws -> Finding {
        let offset = Double(try await database.clockMilliseconds()) / 1_000 - Date().timeIntervalSince1970
        return DoctorClock.judged("clock of the database", offset: offset, resolution: 0.25)
    }

    /// Checks the folder of a SQLite file. The file itself is not opened, since that would make it.
    private func file() -> [Finding] {
        let disk = DoctorDisk.finding(context.settings.dataDirectory)
        do {
            switch process {
            case .token: try TokenDatabase.file.check(context.settings)
            default: try UserDatabase.file.check(context.settings)
            }
        } catch { return Finding.faults("database", error) + [disk] }
        SQLiteVersion.linked.report(to: context.logger)
        let cautions = warnings.take().map { Finding.warning("database", $0) }
        let copy = DoctorCopy.finding(
            in: context.settings.dataDirectory, database: process == .token ? "tokens.sqlite" : Databases.users)
        return [.ok("database", "SQLite in \(context.settings.dataDirectory)")] + cautions
            + [disk, copy].compactMap { $0 }
    }
}
