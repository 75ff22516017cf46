package import Logging

/// The log of a process for what is told of every request: its lines are those that a `Logger` writes, without the way there.
package struct LineLog: Sendable {
    private let process: String
    private let sink: LogSink
    private let level: Logger.Level

    /// - Parameter level: nothing below it is written.
    package init(process: String, level: Logger.Level, sink: LogSink) {
        self.process = process
        self.sink = sink
        self.level = level
    }

    /// Writes a line of level `info`.
    ///
    /// - Parameter fields: with distinct names, in rising order; not asked for when nothing is written.
    package func info(_ message: String, _ fields: @autoclosure () -> KeyValuePairs<String, String>) {
        guard level <= .info else { return }
        var line = LogLine(level: .info, process: process, message: message)
        for (name, value) in fields() { line.append(name, value) }
        sink.append(line.finished())
    }
}
