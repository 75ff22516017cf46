import Logging
import Synchronization

/// Keeps the warnings that a check writes into its log, as lines for the operator.
final class CollectedWarnings: Sendable {
    private static let countMax = 100
    private let lines = Mutex<[String]>([])

    /// A log handler that keeps warnings and drops everything else.
    var handler: any LogHandler { Handler(warnings: self) }

    /// Returns the lines since the last call.
    func take() -> [String] {
        lines.withLock { lines in
            defer { lines = [] }
            return lines
        }
    }

    private func add(_ line: String) {
        lines.withLock { if $0.count < Self.countMax { $0.append(line) } }
    }

    private struct Handler: LogHandler {
        let warnings: CollectedWarnings
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.warning

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let values = (event.metadata ?? [:]).sorted { $0.key < $1.key }.map { "\($0.value)" }
            warnings.add(([event.message.description] + values).joined(separator: ": "))
        }
    }
}
