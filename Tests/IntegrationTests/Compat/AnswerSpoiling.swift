import TestSupport

/// One thing that is another in every answer of a kind: its status, a member's name, or a member's value.
struct AnswerSpoiling: Sendable, CustomStringConvertible {
    enum Change: Sendable {
        case status(Int)
        case name(String)
        case value(String, String)
    }

    /// In lower case.
    let path: String
    let status: Int
    /// Text of the body that tells answers of one path and status apart.
    let having: String
    let change: Change

    var description: String {
        let kind = "\(status)\(having.isEmpty ? "" : " \(having)") of \(path)"
        return switch change {
        case .status(let other): "\(kind) as \(other)"
        case .name(let member): "\(kind) with \(member)_"
        case .value(let member, let other): "\(kind) with \(member) \(other)"
        }
    }

    /// Every change of an answer of this kind: the next status, each member under another name, and with these values.
    static func all(
        _ status: Int, of path: String, having: String = "", _ members: KeyValuePairs<String, String?>
    ) -> [AnswerSpoiling] {
        let changes = members.flatMap { name, other in
            [Change.name(name)] + (other.map { [Change.value(name, $0)] } ?? [])
        }
        return ([Change.status(status + 1)] + changes).map {
            AnswerSpoiling(path: path.lowercased(), status: status, having: having, change: $0)
        }
    }

    /// The answer as the client gets it.
    func spoiled(_ answer: HTTPAnswer, to path: String) throws -> HTTPAnswer {
        guard path == self.path, answer.status == status, answer.text.contains(having) || having.isEmpty else {
            return answer
        }
        return switch change {
        case .status(let other): answer.with(status: other)
        case .name(let member):
            answer.with(body: Array(answer.text.replacing("\"\(member)\":", with: "\"\(member)_\":").utf8))
        case .value(let member, let other): answer.with(body: Array(try Self.text(answer.text, member, other).utf8))
        }
    }

    /// The text with another value of a member, whatever the value is: a string, an object or list without others in it, or a
    /// word or number.
    private static func text(_ text: String, _ member: String, _ other: String) throws -> String {
        let value = try Regex(#""\#(member)":("[^"]*"|\{[^{}]*\}|\[[^\[\]]*\]|[a-z0-9.]+)"#)
        return text.replacing(value, with: "\"\(member)\":\(other)")
    }
}

extension [AnswerSpoiling] {
    /// All of them in the long form, one of so many in the suite's.
    func some(every step: Int) -> [AnswerSpoiling] {
        LongRun.isOn ? self : stride(from: 0, to: count, by: step).map { self[$0] }
    }
}
