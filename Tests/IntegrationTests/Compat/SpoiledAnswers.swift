import TestSupport

extension AnswerShape {
    /// Answers that each differ from a good one in one thing: a status, a member's name, or its value. A check that lets one
    /// of them pass looks at nothing.
    func spoiled(_ answer: HTTPAnswer) throws -> [HTTPAnswer] {
        let status = HTTPAnswer(status: answer.status + 1, headers: answer.headers, body: answer.body)
        return [status] + (try members(of: answer).flatMap { try spoiled(answer, in: $0) })
    }

    private func members(of answer: HTTPAnswer) throws -> [String] {
        answer.text.matches(of: try Regex(#""([A-Za-z_]+)":"#, as: (Substring, Substring).self)).map {
            String($0.output.1)
        }
        .filter { !additions.contains($0) }
    }

    private func spoiled(_ answer: HTTPAnswer, in member: String) throws -> [HTTPAnswer] {
        let scalar = try Regex(#""\#(member)":("[^"]*"|[0-9]+|true|false)"#, as: (Substring, Substring).self)
        let texts = [
            answer.text.replacing("\"\(member)\":", with: "\"\(member)_\":"),
            answer.text.replacing(scalar) { _ in "\"\(member)\":[]" },
            varying.contains(member)
                ? answer.text : answer.text.replacing(scalar) { "\"\(member)\":\(Self.other($0.output.1))" },
        ]
        return texts.filter { $0 != answer.text }.map {
            HTTPAnswer(status: answer.status, headers: answer.headers, body: Array($0.utf8))
        }
    }

    /// Another value of the same kind.
    private static func other(_ value: Substring) -> String {
        switch value {
        case "true": "false"
        case "false": "true"
        default: value.hasPrefix("\"") ? "\"x\(value.dropFirst())" : "1\(value)"
        }
    }
}
