import Foundation
import InternalAPI
import StrictJSON

/// An operation as its golden file states it: path, callers, examples of bodies, and refusals.
struct WireText {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Vectors/Wire")

    /// The file's name without its ending.
    let name: String
    let callers: Set<Caller>
    let golden: String
    /// The declaration, with every body of the file decoded and encoded again.
    let again: String
    /// Whether the operation has a body, and whether the file has examples of requests and responses.
    let takesRequests, hasRequests, hasAnswers: Bool
    /// The refusals that are missing in `RefusalCode`.
    let unknownRefusals: [String]

    init<Request, Answer, Refusal>(
        _ name: String, _ operation: InternalOperation<Request, Answer, Refusal>
    ) throws {
        self.name = name
        callers = operation.callers
        golden = try String(contentsOf: Self.folder.appending(path: name + ".txt"), encoding: .utf8)
        let head =
            ["\(operation.method.rawValue) \(operation.path)"]
            + operation.callers.map { "caller \($0.rawValue)" }.sorted()
        let requests = try Self.bodies("request ", of: golden, as: Request.self)
        let answers = try Self.bodies("answer ", of: golden, as: Answer.self)
        let end = Refusal.allCases.sorted { $0.rawValue < $1.rawValue }
            .map { "refusal \($0.status) \($0.rawValue)" }
        again = (head + requests + answers + end).joined(separator: "\n") + "\n"
        unknownRefusals = Refusal.allCases.map(\.rawValue).filter { RefusalCode(rawValue: $0) == nil }
        takesRequests = Request.self != NoBody.self
        (hasRequests, hasAnswers) = (!requests.isEmpty, !answers.isEmpty)
    }

    private static func bodies<Body: Codable>(
        _ start: String, of golden: String, as type: Body.Type
    ) throws -> [String] {
        try golden.split(separator: "\n").filter { $0.hasPrefix(start) }.map { line in
            let body = try StrictJSON.decode(type, from: Array(line.utf8.dropFirst(start.utf8.count)), limits: .own)
            return start + String(decoding: try StrictJSON.encode(body), as: UTF8.self)
        }
    }
}
