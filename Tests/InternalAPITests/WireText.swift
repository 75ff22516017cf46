import StrictJSON

/// An operation as it goes over the wire, as text: what the golden files hold.
struct WireText {
    /// The file's name without its ending.
    let name: String
    let text: String
    /// The same with every body decoded and encoded anew.
    let textAgain: String

    /// - Parameter refusals: status and code of each.
    init<Request: Codable, Answer: Codable>(
        _ name: String, _ method: String, _ path: String, from callers: [String], requests: [Request],
        answers: [Answer], refusals: [(status: Int, code: String)]
    ) throws {
        self.name = name
        let head = ["\(method) \(path)"] + callers.sorted().map { "caller \($0)" }
        let end = refusals.sorted { $0.code < $1.code }.map { "refusal \($0.status) \($0.code)" }
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
