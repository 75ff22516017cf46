/// One line of `latchkeyctl doctor`.
struct Finding: Sendable, Equatable, Encodable {
    enum Level: String, Sendable, Encodable {
        case ok, warning, fault
    }

    /// The name of the check, such as `redis functions`.
    let name: String
    let level: Level
    /// The result, and for a warning or a fault what to do. It contains no secret.
    let text: String

    static func ok(_ name: String, _ text: String) -> Finding { Finding(name: name, level: .ok, text: text) }
    static func warning(_ name: String, _ text: String) -> Finding { Finding(name: name, level: .warning, text: text) }
    static func fault(_ name: String, _ text: String) -> Finding { Finding(name: name, level: .fault, text: text) }

    /// Returns a fault for each line of an error.
    static func faults(_ name: String, _ error: any Error) -> [Finding] {
        "\(error)".split(separator: "\n").map { fault(name, String($0)) }
    }
}
