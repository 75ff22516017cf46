import FoundationEssentials

/// The policy `howru` with the dearest spend guard there is: as many rows of prices as a policy may have, each with budgets
/// of its own, none of which a load uses up.
enum GuardPolicy {
    static let rowCount = 512
    /// The first area code of +1, as in `SignInNumbers`.
    private static let firstArea = 200
    private static let budget = 1_000_000_000
    private static let price = 100

    /// Writes the file into `folder`.
    ///
    /// - Returns: its path.
    static func write(in folder: String) throws -> String {
        let howru = try String(contentsOfFile: Build.own.policies + "/howru.yaml", encoding: .utf8)
        let path = folder + "/guard.yaml"
        try (howru + section).write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    private static var section: String {
        let budgets = "hour: \(budget), day: \(budget)"
        let prefixes = ["default"] + (1..<rowCount).map { "\"+1\(firstArea + $0 - 1)\"" }
        let rows = prefixes.map { "    - { prefix: \($0), sms: \(price), call: \(price), \(budgets) }" }
        let head = ["", "spend:", "  currency: USD", "  budget: { \(budgets) }", "  prices:"]
        return (head + rows).map { $0 + "\n" }.joined()
    }
}
