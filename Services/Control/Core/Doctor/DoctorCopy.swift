import ContinuousCopy
import PrivateFiles
import SQLiteStore
import ServiceKit

/// Judges the age of a database's continuous copy.
enum DoctorCopy {
    private static let warningSeconds: Int64 = 60

    /// Returns `nil` if no copier has copied the database.
    static func finding(in folder: String, database: String, now: Int64 = UnixTime.seconds()) -> Finding? {
        guard let time = CopyAge.copiedAt(databasePath: folder + "/" + database) else { return nil }
        return judged(ageSeconds: now - time, failure: failure(in: folder))
    }

    /// - Parameter failure: The reason why the copier's last turn failed, if it is known.
    static func judged(ageSeconds: Int64, failure: String?) -> Finding {
        let text = "the continuous copy is \(TimeText.span(max(0, ageSeconds))) old"
        guard ageSeconds > warningSeconds || failure != nil else { return .ok("copy", text) }
        return .warning("copy", "\(text). " + (failure ?? "Does the copier run? Its log says what it lacks"))
    }

    private static func failure(in folder: String) -> String? {
        do throws(FileFailure) {
            return try CopierState.read(in: Databases.folder(of: "copier", in: folder))?.failure?.detail
        } catch { return nil }
    }
}
