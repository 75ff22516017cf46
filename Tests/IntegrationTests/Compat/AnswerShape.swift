import StrictJSON
import TestSupport

/// The expected form of a response: its status, and its body as a document prints it.
struct AnswerShape: Sendable {
    /// An answer that is not as printed.
    struct Differs: Error, CustomStringConvertible { let description: String }

    let status: Int
    /// JSON with exactly the members of the answer. Values are the answer's own, too, but for those of `varying`; a list with
    /// one item stands for any number of its kind.
    let body: String
    /// Members that are other for each user: only the kind of their values is compared.
    var varying: Set<String> = []
    /// Members that an answer may have beyond the document's.
    var additions: Set<String> = []

    /// The body, once it is as printed.
    @discardableResult
    func check(_ answer: HTTPAnswer) throws -> JSONValue {
        guard answer.status == status else {
            throw Differs(description: "\(answer.status) in place of \(status): \(answer.text)")
        }
        let found = try answer.json
        let printed = try StrictJSON.parse(Array(body.utf8), limits: .init(bytesMax: 1 << 16, depthMax: 16))
        let differences = differences(printed, found, at: "body")
        guard differences.isEmpty else {
            throw Differs(description: "\(differences.joined(separator: "; ")) in \(answer.text)")
        }
        return found
    }

    private func differences(_ printed: JSONValue, _ found: JSONValue, at name: String) -> [String] {
        switch (printed, found) {
        case (.object(let printed), .object(let found)): differences(printed, found, at: name)
        case (.array(let printed), .array(let found)) where printed.count == 1:
            found.flatMap { differences(printed[0], $0, at: name) }
        case (.string, .string) where varying.contains(name): []
        case (.integer, .integer) where varying.contains(name): []
        case (.bool, .bool) where varying.contains(name): []
        default: printed == found ? [] : ["\(name) is \(found)"]
        }
    }

    private func differences(_ printed: JSONObject, _ found: JSONObject, at name: String) -> [String] {
        let wanted = Set(printed.members.map(\.name))
        let unknown = found.members.map(\.name).filter { !wanted.contains($0) && !additions.contains($0) }
        return unknown.map { "\(name) has \($0)" }
            + printed.members.flatMap { member in
                found[member.name].map { differences(member.value, $0, at: member.name) }
                    ?? ["\(name) lacks \(member.name)"]
            }
    }
}
