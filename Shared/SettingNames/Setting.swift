/// One environment variable: its meaning, its values, and the processes that read it.
///
/// The row refuses wrong values. `--help`, the tables of deploy/docs/reference/settings.md and the lists in docker-compose.yml are
/// made from it.
package struct Setting: Sendable {
    /// The values that a variable may have.
    package enum Rule: Sendable {
        /// Texts that are checked where they are used; in Markdown.
        case text(String)
        case choice([String])
        case integer(ClosedRange<Int>, of: String = "a number")
        /// A port, or 0 for a free one.
        case port
        case flag
        /// The base URLs of a process's replicas.
        case replicas
        /// The base URL of a provider's interface.
        case provider
    }

    /// How the containers of docker-compose.yml get a variable.
    package enum Compose: Sendable, Equatable {
        case always
        case never
        /// Only with `deploy/compose.NAME.yaml`.
        case overlay(String)
    }

    package let name: String
    /// The meaning, in Markdown. `--help` shows the part before the first semicolon.
    package let help: String
    package let rule: Rule
    /// The short names of the processes that read it; empty if every process does.
    package let processes: [String]
    /// The value of an unset variable.
    package let standard: String?
    /// The value of an unset variable in production, if it is another one.
    package let standardInProduction: String?
    /// The meaning of an unset variable without such a value, in Markdown.
    private let unset: String
    package let compose: Compose

    init(
        _ name: String, _ help: String, _ rule: Rule, _ processes: [String] = [], default standard: String? = nil,
        inProduction: String? = nil, unset: String = "none", compose: Compose = .always
    ) {
        self.name = name
        self.help = help
        self.rule = rule
        self.processes = processes
        self.standard = standard
        standardInProduction = inProduction
        self.unset = unset
        self.compose = compose
    }
}

// MARK: - Wrong values

extension Setting {
    /// Returns what is wrong with a value and what to use instead, or `nil` if the rule allows it.
    package func problem(_ text: String) -> String? {
        switch rule {
        case .text, .replicas, .provider: return nil
        case .choice(let words):
            if words.contains(text) { return nil }
            let meant = Spelling.nearest(to: text, among: words)
            return Self.invalid(text, use: Spelling.choice(of: words), meant: meant)
        case .integer(let range, let unit):
            if let number = Int(text), range.contains(number) { return nil }
            return Self.invalid(text, use: "\(unit) from \(range.lowerBound) to \(range.upperBound)")
        case .port:
            return UInt16(text) != nil ? nil : Self.invalid(text, use: "a port from 1 to 65535, or 0 for a free one")
        case .flag: return ["0", "1"].contains(text) ? nil : Self.invalid(text, use: "1 for yes, or 0 for no")
        }
    }

    /// Returns the problem of a value that is not allowed.
    ///
    /// - Parameters:
    ///   - use: The allowed values; the text follows "Use ".
    ///   - meant: The value that was probably meant.
    package static func invalid(_ text: String, use: String, meant: String? = nil) -> String {
        "\"\(text)\" is not a valid value. " + (meant.map { "Did you mean \($0)? " } ?? "") + "Use \(use)."
    }
}

// MARK: - Documents

extension Setting {
    /// The allowed values, in Markdown.
    package var allowed: String {
        switch rule {
        case .text(let allowed): allowed
        case .choice(let words): words.map { "`\($0)`" }.joined(separator: ", ")
        case .integer(let range, _): "\(range.lowerBound) to \(range.upperBound)"
        case .port: "1 to 65535, or 0 for a free one"
        case .flag: "`1`, `0`"
        case .replicas: "base URLs, comma-separated"
        case .provider: "`https://…`; outside production `http://…` too"
        }
    }

    /// The value of an unset variable, in Markdown.
    package var fallback: String {
        guard let standard else { return unset }
        return "`\(standard)`" + (standardInProduction.map { "; in production `\($0)`" } ?? "")
    }
}

extension [Setting] {
    /// The row of a variable, which must have one.
    package subscript(name: String) -> Setting {
        guard let row = first(where: { $0.name == name }) else { preconditionFailure("\(name) has no row") }
        return row
    }

    /// Lines for `--help`: the names in one column, their meanings, values and defaults in another.
    package var listing: String {
        let width = map(\.name.count).max() ?? 0
        return map { row in
            let fallback = row.fallback == "none" ? "" : "default " + row.fallback
            let parts = [String(row.help.prefix { $0 != ";" }), row.allowed, fallback].filter { !$0.isEmpty }
            let text = Self.plain(parts.joined(separator: "; "))
            return "  \(row.name)\(String(repeating: " ", count: width - row.name.count))  \(text)"
        }.joined(separator: "\n")
    }

    /// Markdown without its marks: no backticks, and only the texts of links.
    private static func plain(_ markdown: String) -> String {
        markdown.replacing(#/\[([^\]]*)\]\([^)]*\)/#) { $0.output.1 }.replacing("`", with: "")
    }
}
