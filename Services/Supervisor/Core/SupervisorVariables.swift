import SettingNames

/// Reads the supervisor's variables, and gathers everything that is wrong with them. An empty variable counts as unset.
struct SupervisorVariables {
    private let variables: [String: String]
    private var problems: [String] = []

    init(_ variables: [String: String]) { self.variables = variables }

    /// Returns the text of a variable, or its default, or `nil` if it is wrong or has none.
    mutating func text(_ name: String) -> String? {
        let row = Settings.supervisor[name]
        guard let text = variables[name].flatMap({ $0.isEmpty ? nil : $0 }) else { return row.standard }
        guard let problem = row.problem(text) else { return text }
        refuse(name, problem)
        return nil
    }

    /// Returns a port, or `nil` if the variable is wrong, or unset without a default.
    mutating func port(_ name: String) -> UInt16? { text(name).flatMap { UInt16($0) } }

    mutating func replicas(_ name: String) -> Replicas {
        let text = text(name) ?? ""
        if let replicas = Replicas(parsing: text) { return replicas }
        let services = Replicas.services.joined(separator: ", ")
        let use =
            "pairs such as otp=2,token=2 of \(services), each named once, with 1 to \(Replicas.countMax) processes"
        refuse(name, Setting.invalid(text, use: use))
        return Replicas()
    }

    mutating func refuse(_ name: String, _ problem: String) { problems.append("\(name): \(problem)") }

    /// Throws the problems that were noted, or returns if there are none.
    func finish() throws(StartFailure) {
        guard problems.isEmpty else { throw StartFailure(problems.joined(separator: "\n")) }
    }
}
