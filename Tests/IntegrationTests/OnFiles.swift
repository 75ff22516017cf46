import FoundationEssentials
import Testing

extension Trait where Self == ConditionTrait {
    /// A test that reads or changes the files of SQLite; it does not run on PostgreSQL.
    static var onFiles: Self {
        .disabled("it is about the files of SQLite") {
            ProcessInfo.processInfo.environment["LATCHKEY_TEST_ENGINE"] == "postgres"
        }
    }
}
