import FoundationEssentials
import Testing

extension Trait where Self == ConditionTrait {
    /// A test that reads or changes the files of SQLite, or whose services only have settings for them; it does not run on
    /// PostgreSQL.
    static var onFiles: Self {
        .disabled("it is about the files of SQLite") {
            ProcessInfo.processInfo.environment["LATCHKEY_TEST_ENGINE"] == "postgres"
        }
    }
}
