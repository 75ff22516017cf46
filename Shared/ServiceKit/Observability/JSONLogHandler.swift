package import Logging
import Spans

/// Writes each log event as one JSON object on one line (security guide R-91).
///
/// Metadata of the form `.stringConvertible(number)` becomes a JSON number; everything else becomes a string.
package struct JSONLogHandler: LogHandler {
    package var logLevel: Logger.Level
    package var metadata: Logger.Metadata = [:]
    package var metadataProvider: Logger.MetadataProvider?
    private let process: String
    private let sink: LogSink

    /// - Parameter process: The name of the process, which is in every line.
    package init(
        process: String, level: Logger.Level, metadataProvider: Logger.MetadataProvider? = nil, sink: LogSink
    ) {
        self.process = process
        self.sink = sink
        self.metadataProvider = metadataProvider
        logLevel = level
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        var line = LogLine(level: event.level, process: process, message: event.message.description)
        for (key, value) in fields(of: event) { line.append(key, value) }
        if let error = event.error { line.append("error", String(describing: error)) }
        sink.append(line.finished())
    }

    /// Returns the event's fields by name. If two have one name, the event's own applies rather than the logger's.
    private func fields(of event: LogEvent) -> [(key: String, value: Logger.MetadataValue)] {
        var fields = event.metadata ?? [:]
        if !metadata.isEmpty { fields.merge(metadata) { own, _ in own } }
        if let provided = metadataProvider?.get() { fields.merge(provided) { own, _ in own } }
        return fields.sorted { $0.key < $1.key }
    }
}

extension Logger.MetadataProvider {
    /// The id of the trace that the current task belongs to, if its spans are exported.
    static let ofTrace = Logger.MetadataProvider {
        guard let identity = CurrentTrace.context?.spanIdentity, identity.isSampled else { return [:] }
        return ["trace.id": "\(identity.traceID)"]
    }
}
