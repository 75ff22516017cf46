import InternalAPI
import StrictJSON

/// An operation as it goes over the wire, as text: what the golden files hold.
struct WireText {
    /// The file's name without its ending.
    let name: String
    let callers: Set<Caller>
    let text: String
    /// The text after decoding and encoding every body again.
    let textAgain: String

    init<Request, Answer, Refusal>(
        _ name: String, _ operation: InternalOperation<Request, Answer, Refusal>, requests: [Request] = [],
        answers: [Answer]
    ) throws {
        self.name = name
        callers = operation.callers
        let head =
            ["\(operation.method.rawValue) \(operation.path)"]
            + operation.callers.map { "caller \($0.rawValue)" }.sorted()
        let end = Refusal.allCases.sorted { $0.rawValue < $1.rawValue }
            .map { "refusal \($0.status) \($0.rawValue)" }
        let requests = try requests.map { try StrictJSON.encode($0) }
        let answers = try answers.map { try StrictJSON.encode($0) }
        func whole(_ requests: [[UInt8]], _ answers: [[UInt8]]) -> String {
            let bodies =
                requests.map { "request \(String(decoding: $0, as: UTF8.self))" }
                + answers.map { "answer \(String(decoding: $0, as: UTF8.self))" }
            return (head + bodies + end).joined(separator: "\n") + "\n"
        }
        text = whole(requests, answers)
        textAgain = whole(try requests.map(Self.again(Request.self)), try answers.map(Self.again(Answer.self)))
    }

    private static func again<Body: Codable>(_ type: Body.Type) -> ([UInt8]) throws -> [UInt8] {
        { try StrictJSON.encode(try StrictJSON.decode(Body.self, from: $0, limits: .own)) }
    }
}
