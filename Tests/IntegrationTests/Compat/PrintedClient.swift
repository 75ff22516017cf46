import TestSupport

/// A document's client code in the two languages that it is printed in.
enum PrintedClient: String, Sendable, CaseIterable {
    case swift, kotlin

    /// Kotlin's packages are large: only `deploy/compat` has them.
    static let inThisRun: [PrintedClient] = LongRun.isOn ? allCases : [.swift]

    /// One of a document's lives at a gateway, with its users.
    func program(
        _ document: String, _ life: String, at gateway: String, _ users: PasswordUser...
    ) throws -> ClientProgram {
        let words = [gateway, life] + users.flatMap { [$0.address, $0.password] }
        return switch self {
        case .swift: try ClientProgram(built: "compat-\(document)", words)
        case .kotlin: ClientProgram(kotlin: document, words)
        }
    }
}
