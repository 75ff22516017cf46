import Logging
import Synchronization

/// The warnings and errors of a log, each as `message key=value …` with its keys in alphabetical order.
final class TestLog: Sendable {
    private let recorded = Mutex<[String]>([])

    var lines: [String] { recorded.withLock { $0 } }
    var logger: Logger { Logger(label: "test") { _ in Handler(log: self) } }

    private struct Handler: LogHandler {
        let log: TestLog
        var logLevel = Logger.Level.warning
        var metadata: Logger.Metadata = [:]

        init(log: TestLog) { self.log = log }

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let parts = (event.metadata ?? [:]).sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }
            log.recorded.withLock { $0.append("\(event.message)" + parts.joined()) }
        }
    }
}
