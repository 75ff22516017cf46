package import Logging
import Synchronization

/// Lines that were logged, to be looked at.
package final class TestLog: Sendable {
    private let level: Logger.Level
    private let recorded = Mutex<[String]>([])

    /// Each as `message key=value …`, with the keys in alphabetical order.
    package var lines: [String] { recorded.withLock { $0 } }
    package var logger: Logger { Logger(label: "test") { _ in Handler(log: self, logLevel: level) } }

    /// - Parameter level: The lowest level that is kept.
    package init(from level: Logger.Level = .trace) { self.level = level }

    private func record(_ message: Logger.Message, _ metadata: Logger.Metadata?) {
        let parts = (metadata ?? [:]).sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }
        recorded.withLock { $0.append("\(message)" + parts.joined()) }
    }

    private struct Handler: LogHandler {
        let log: TestLog
        var logLevel: Logger.Level
        var metadata: Logger.Metadata = [:]

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) { log.record(event.message, event.metadata) }
    }
}
