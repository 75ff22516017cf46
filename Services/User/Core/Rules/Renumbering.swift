import InternalAPI
import PhoneNumbers

/// Finds the new form of a phone number after a change of the national plan, or of the canonical form.
struct Renumbering: Sendable {
    /// The effect of the changes on one phone number.
    enum Target: Sendable, Equatable {
        /// The phone number stays.
        case none
        case number(String)
        /// The phone number that the change leads to cannot exist.
        case impossible(String)
    }

    /// The length of a prefix: a plus and digits of E.164.
    private static let prefixLength = 2...16

    /// The changes, those with the longest prefix first; `nil` if phone numbers get today's canonical form.
    private let changes: [NumberChange]?

    /// - Throws: `InvalidInput` if a change is not from one prefix of E.164 to another.
    init(_ changes: [NumberChange]?) throws(InvalidInput) {
        if let changes {
            guard (1...RenumberRequest.changesMax).contains(changes.count),
                Set(changes.map(\.from)).count == changes.count,
                changes.allSatisfy({ Self.isPrefix($0.from) && Self.isPrefix($0.to) && $0.from != $0.to })
            else { throw .numberChange }
        }
        self.changes = changes?.sorted { $0.from.utf8.count > $1.from.utf8.count }
    }

    /// The longest text with which all affected phone numbers begin.
    var prefix: String {
        guard let changes, var common = changes.first?.from else { return "+" }
        for change in changes {
            while !change.from.hasPrefix(common) { common.removeLast() }
        }
        return common
    }

    func target(of number: String) -> Target {
        guard let changes else { return canonical(number) }
        guard let change = changes.first(where: { number.hasPrefix($0.from) }) else { return .none }
        // A phone number that was renamed before may also begin with an old prefix.
        if changes.contains(where: { number.hasPrefix($0.to) }), Self.isCanonical(number) { return .none }
        let new = change.to + number.dropFirst(change.from.utf8.count)
        return Self.isCanonical(new) ? .number(new) : .impossible(new)
    }

    private func canonical(_ number: String) -> Target {
        guard let form = Self.form(number), form != number else { return .none }
        return .number(form)
    }

    private static func isCanonical(_ number: String) -> Bool { form(number) == number }

    private static func form(_ number: String) -> String? {
        do throws(PhoneNumberProblem) { return try PhoneNumber(parsing: number).e164 } catch { return nil }
    }

    private static func isPrefix(_ text: String) -> Bool {
        prefixLength.contains(text.utf8.count) && text.hasPrefix("+")
            && text.utf8.dropFirst().allSatisfy { (0x30...0x39).contains($0) }
    }
}
