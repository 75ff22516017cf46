/// An option of the commands: its form, and what `help` says about it.
struct Setting: Sendable {
    enum Form: Sendable {
        case flag
        case text
        case decimal
        /// A number of this range; 0 too, if `orNone`.
        case number(ClosedRange<Int>, usually: Int, orNone: Bool = false)
        /// One of several words, or some of them.
        case choice([String], isRepeated: Bool = false)
    }

    let name: String
    let form: Form
    let help: String

    init(_ name: String, _ form: Form, _ help: String) {
        self.name = name
        self.form = form
        self.help = help
    }

    /// The line of `help`.
    var line: String {
        switch form {
        case .flag: "  --\(name): \(help)"
        case .text, .decimal: "  --\(name) VALUE: \(help)"
        case .number(let range, let usually, let orNone):
            "  --\(name) N: \(help) (\(orNone ? "0, or " : "")\(range.lowerBound) to \(range.upperBound); default \(usually))"
        case .choice(let words, let isRepeated):
            "  --\(name) VALUE: \(help) (\(isRepeated ? "again for another; " : "")\(words.joined(separator: ", ")))"
        }
    }

    /// Why a value is wrong; nil for a good one.
    fileprivate func problem(_ value: String) -> String? {
        switch form {
        case .flag, .text: nil
        case .decimal: Double(value) == nil ? "--\(name) must be a number" : nil
        case .number(let range, _, let orNone):
            Int(value).map { range.contains($0) || (orNone && $0 == 0) } == true ? nil : "wrong value:\(line)"
        case .choice(let words, _): words.contains(value) ? nil : "wrong value:\(line)"
        }
    }
}

/// The options of one run.
struct Options: Sendable {
    /// Arguments that are no options of the command; with what is right.
    struct Wrong: Error, CustomStringConvertible { let description: String }

    private var values: [String: [String]] = [:]

    /// Reads `--name value`, `--name=value` and `--flag`.
    init(_ arguments: [String], of settings: [Setting]) throws {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard let setting = settings.first(where: { "--" + $0.name == parts[0] }) else {
                throw Wrong(description: "there is no option \(argument)")
            }
            if case .flag = setting.form {
                values[setting.name] = [""]
                continue
            }
            guard let value = parts.count > 1 ? parts[1] : rest.popFirst() else {
                throw Wrong(description: "--\(setting.name) needs a value")
            }
            if let problem = setting.problem(value) { throw Wrong(description: problem) }
            values[setting.name, default: []].append(value)
        }
    }

    func has(_ setting: Setting) -> Bool { values[setting.name] != nil }

    func text(_ setting: Setting) -> String? { values[setting.name]?.last }

    func words(_ setting: Setting) -> [String] { values[setting.name] ?? [] }

    func number(_ setting: Setting) -> Int {
        guard case .number(_, let usually, _) = setting.form else { return 0 }
        return text(setting).flatMap { Int($0) } ?? usually
    }

    /// How many pairs a comparison has: as many as `--rounds`, if it is given.
    func pairs() throws -> Int {
        let pairs = has(.rounds) ? number(.rounds) : Pairs.least
        guard pairs >= Pairs.least else { throw Wrong(description: "this needs at least \(Pairs.least) --rounds") }
        return pairs
    }
}
