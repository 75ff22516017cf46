/// The reasons why a policy cannot be used; each finding has a line to fix.
package struct PolicyError: Error, Equatable, CustomStringConvertible {
    /// One thing that is wrong, and what is allowed instead.
    package struct Finding: Sendable, Equatable, CustomStringConvertible {
        package let file: String
        /// The line, counted from 1; `nil` if the problem is the file itself.
        package let line: Int?
        /// Keys and list positions from the root, e.g. `otp.sendsPerPhone[0].max`; empty for the file as a whole.
        package let keyPath: String
        package let message: String

        package init(file: String, line: Int?, keyPath: String, message: String) {
            self.file = file
            self.line = line
            self.keyPath = keyPath
            self.message = message
        }

        package var description: String {
            let place = line.map { "\(file):\($0)" } ?? file
            return keyPath.isEmpty ? "\(place): \(message)" : "\(place): \(keyPath): \(message)"
        }
    }

    /// The findings in the order of the file; never empty.
    package let findings: [Finding]

    package init(findings: [Finding]) { self.findings = findings }

    package var description: String { findings.map(\.description).joined(separator: "\n") }
}
