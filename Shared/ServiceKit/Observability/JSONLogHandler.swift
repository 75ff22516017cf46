internal import FoundationEssentials
package import Logging

/// Writes each log event as one JSON object on one line (security guide R-91).
package struct JSONLogHandler: LogHandler {
    /// Characters of one value; the rest is cut off.
    static let valueLengthMax = 2048

    package var logLevel: Logger.Level
    package var metadata: Logger.Metadata = [:]
    package var metadataProvider: Logger.MetadataProvider?
    private let process: String
    private let sink: LogSink

    /// - Parameter process: goes into every line.
    package init(process: String, level: Logger.Level, sink: LogSink) {
        self.process = process
        self.sink = sink
        logLevel = level
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        var line = "{\"time\":\""
        line += Date().formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        line += "\",\"level\":\"\(event.level.rawValue)\",\"process\":\(Self.quoted(process))"
        line += ",\"message\":\(Self.quoted(event.message.description))"
        let inherited = metadata.merging(metadataProvider?.get() ?? [:]) { own, _ in own }
        for (key, value) in inherited.merging(event.metadata ?? [:], uniquingKeysWith: { $1 }).sorted(by: {
            $0.key < $1.key
        }) {
            line += ",\(Self.quoted(key)):\(Self.quoted(value.description))"
        }
        if let error = event.error { line += ",\"error\":\(Self.quoted(String(describing: error)))" }
        sink.append(line + "}\n")
    }

    /// `text` as a JSON string in which nothing can forge a line or move a terminal's cursor.
    static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars.prefix(valueLengthMax) {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\u{00}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}":
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
