/// Why a policy cannot be used; every finding has a line to mend.
package struct PolicyError: Error, Equatable, CustomStringConvertible {
    /// One thing that is wrong, and what is allowed instead.
    package struct Finding: Sendable, Equatable, CustomStringConvertible {
        package let file: String
        /// Counted from 1; nil when the file itself is the trouble.
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

    /// In the order of the file; never empty.
    package let findings: [Finding]

    package init(findings: [Finding]) { self.findings = findings }

    package var description: String { findings.map(\.description).joined(separator: "\n") }
}
