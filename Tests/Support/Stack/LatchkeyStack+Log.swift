import Foundation

extension LatchkeyStack {
    /// Returns the warnings and errors in the processes' logs, each line after the name of its file.
    package func warnings() throws -> [String] {
        let folder = dataDirectory + "/log/"
        return try FileManager.default.contentsOfDirectory(atPath: folder).sorted().flatMap { file in
            let lines = try String(contentsOfFile: folder + file, encoding: .utf8).split(separator: "\n")
            return lines.filter { $0.contains(#""level":"warning""#) || $0.contains(#""level":"error""#) }
                .map { "\(file): \($0)" }
        }
    }
}
