import CoreMetrics
import GRDBSQLite
package import Logging

/// A version of SQLite, as its number: 3040001 is 3.40.1.
package struct SQLiteVersion: CustomStringConvertible {
    let number: Int32

    /// The version of the library that this process runs with.
    package static var linked: Self { Self(number: sqlite3_libversion_number()) }

    package var description: String { "\(number / 1_000_000).\(number / 1_000 % 1_000).\(number % 1_000)" }

    /// Whether a checkpoint can lose committed rows if the log restarts meanwhile (sqlite.org/wal.html, "WAL-reset bug").
    var hasResetBug: Bool {
        switch number {
        case 3_051_003..., 3_050_007..<3_051_000, 3_044_006..<3_045_000: false
        default: true
        }
    }

    /// Writes the version to the log and to the metrics.
    package func report(to logger: Logger) {
        let bug = hasResetBug ? "present, and avoided by our checkpoints" : "fixed"
        logger.info("sqlite.version", metadata: ["sqlite.version": "\(self)", "sqlite.wal_reset_bug": "\(bug)"])
        let dimensions = [("version", description), ("wal_reset_bug", hasResetBug ? "present" : "fixed")]
        Gauge(label: "sqlite_version_info", dimensions: dimensions).record(1)
    }
}
