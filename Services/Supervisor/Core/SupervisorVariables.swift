import SettingNames

/// Reads the supervisor's variables, and gathers everything that is wrong with them. An empty variable counts as unset.
struct SupervisorVariables {
    private let variables: [String: String]
    private var problems: [String] = []

    init(_ variables: [String: String]) { self.variables = variables }

    /// Returns the text of a variable, or `nil` if it is unset or empty.
    func text(_ name: String) -> String? { variables[name].flatMap { $0.isEmpty ? nil : $0 } }

    /// Returns the value of a variable, which must be one of `words`, or `nil` if it is unset or wrong.
    mutating func choice(_ name: String, _ words: [String]) -> String? {
        guard let text = text(name) else { return nil }
        guard !words.contains(text) else { return text }
        invalid(name, text, use: Spelling.choice(of: words), meant: Spelling.nearest(to: text, among: words))
        return nil
    }

    /// Returns whether a variable is 1.
    mutating func flag(_ name: String) -> Bool {
        switch text(name) {
        case nil, "0": return false
        case "1": return true
        case let other?:
            invalid(name, other, use: "1 for yes, or 0 for no")
            return false
        }
    }

    /// Returns a port, or `nil` if the variable is unset or wrong.
    mutating func port(_ name: String) -> UInt16? {
        guard let text = text(name) else { return nil }
        if let port = UInt16(text) { return port }
        invalid(name, text, use: "a port from 1 to 65535, or 0 for a free one")
        return nil
    }

    /// Returns a number, or `nil` if the variable is unset or wrong.
    mutating func number(_ name: String, in range: ClosedRange<Int>, unit: String) -> Int? {
        guard let text = text(name) else { return nil }
        if let number = Int(text), range.contains(number) { return number }
        invalid(name, text, use: "\(unit) from \(range.lowerBound) to \(range.upperBound)")
        return nil
    }

    mutating func replicas(_ name: String) -> Replicas {
        let text = text(name) ?? ""
        if let replicas = Replicas(parsing: text) { return replicas }
        let services = Replicas.services.joined(separator: ", ")
        invalid(
            name, text,
            use: "pairs such as otp=2,token=2 of \(services), each named once, with 1 to \(Replicas.countMax) processes"
        )
        return Replicas()
    }

    /// Notes a text that is not valid.
    mutating func require(_ name: String, _ text: String?, use: String, _ fits: (String) -> Bool) {
        if let text, !fits(text) { invalid(name, text, use: use) }
    }

    mutating func refuse(_ name: String, _ problem: String) { problems.append("\(name): \(problem)") }

    /// Throws the problems that were noted, or returns if there are none.
    func finish() throws(StartFailure) {
        guard problems.isEmpty else { throw StartFailure(problems.joined(separator: "\n")) }
    }

    private mutating func invalid(_ name: String, _ text: String, use: String, meant: String? = nil) {
        let suggestion = meant.map { "Did you mean \($0)? " } ?? ""
        refuse(name, "\"\(text)\" is not a valid value. \(suggestion)Use \(use).")
    }
}
