import Logging
import Synchronization

/// Lines that were logged, to be looked at.
final class TestLog: Sendable {
    private let recorded = Mutex<[String]>([])

    /// `message key=value …`, keys in alphabetical order.
    var lines: [String] { recorded.withLock { $0 } }

    var logger: Logger { Logger(label: "test") { _ in Handler(log: self) } }

    private func record(_ message: Logger.Message, _ metadata: Logger.Metadata?) {
        let parts = (metadata ?? [:]).sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }
        recorded.withLock { $0.append("\(message)" + parts.joined()) }
    }

    private struct Handler: LogHandler {
        let log: TestLog
        var logLevel = Logger.Level.trace
        var metadata: Logger.Metadata = [:]

        init(log: TestLog) { self.log = log }

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) { log.record(event.message, event.metadata) }
    }
}
