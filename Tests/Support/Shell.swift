import Subprocess

#if canImport(System)
import System
#else
import SystemPackage
#endif

/// Runs text in bash, as a reader who copies it would.
package enum Shell {
    private static let outputBytesMax = 1 << 20

    /// The output and the status of the script.
    package struct Outcome: Sendable {
        package let isSuccess: Bool
        /// Standard output and error together.
        package let output: String
    }

    /// Runs `script` in `folder`.
    package static func run(
        _ script: String, in folder: String, environment: [String: String] = [:]
    ) async throws -> Outcome {
        var variables: [Environment.Key: String?] = [:]
        for (name, value) in environment { variables[.init(stringLiteral: name)] = value }
        let result = try await Subprocess.run(
            .path("/bin/bash"), arguments: ["-c", script], environment: .inherit.updating(variables),
            workingDirectory: FilePath(folder), input: .none, output: .string(limit: outputBytesMax),
            error: .combinedWithOutput)
        return Outcome(isSuccess: result.terminationStatus.isSuccess, output: result.standardOutput)
    }
}
