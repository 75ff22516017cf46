/// A command of `deploy/bench`.
package struct Command: Sendable {
    let name: String
    let about: String
    let settings: [Setting]
    let parts: @Sendable (Options) throws -> [Part]

    /// One measurement of a command: its title, and what adds its figures.
    struct Part: Sendable {
        let title: String
        let run: @Sendable (([Figure]) throws -> Void) async throws -> Void

        init(_ title: String, adding run: @escaping @Sendable (([Figure]) throws -> Void) async throws -> Void) {
            (self.title, self.run) = (title, run)
        }

        init(_ title: String, _ figures: @escaping @Sendable () async throws -> [Figure]) {
            self.init(title, adding: { add in try add(try await figures()) })
        }
    }

    init(
        _ name: String, _ about: String, _ settings: [Setting] = [],
        parts: @escaping @Sendable (Options) throws -> [Part]
    ) {
        (self.name, self.about, self.settings, self.parts) = (name, about, settings, parts)
    }

    /// Runs the command that the arguments name, or the first eight.
    ///
    /// - Returns: the status of the process: 1 for a missed bound unless only measuring was asked for, 64 for wrong arguments.
    package static func main(_ arguments: [String]) async throws -> Int32 {
        let isNamed = arguments.first.map { !$0.hasPrefix("-") } ?? false
        let name = isNamed ? arguments[0] : "all"
        let rest = Array(arguments.dropFirst(isNamed ? 1 : 0))
        if name == "help" || rest.contains("--help") || rest.contains("-h") {
            return say(help(name == "help" ? rest.first : name))
        }
        // A process of `calibrate`.
        guard name != "echo-server" else {
            try await Calibration.serveEchoes()
            return 0
        }
        let chosen = name == "all" ? Array(all.prefix(8)) : all.filter { $0.name == name }
        guard !chosen.isEmpty else { return say("there is no command \(name)\n\n\(help(nil))", status: 64) }
        do {
            return try await run(chosen, rest)
        } catch let wrong as Options.Wrong {
            return say("\(wrong)\n\n\(help(name))", status: 64)
        }
    }

    private static func run(_ commands: [Command], _ arguments: [String]) async throws -> Int32 {
        let options = try Options(arguments, of: Setting.common + commands.flatMap(\.settings))
        let parts = try commands.flatMap { try $0.parts(options) }
        var report = Report(file: options.text(.json))
        Report.say(Machine.description)
        try report.add([Figure("machine.load.before", Machine.loadAverage, .count)])
        for part in parts {
            report.section(part.title)
            try await part.run { try report.add($0) }
        }
        try report.add([Figure("machine.load.after", Machine.loadAverage, .count)])
        if !report.missed.isEmpty { report.section("MISSED") }
        for figure in report.missed { Report.say(figure.line) }
        return report.missed.isEmpty || options.has(.noBound) ? 0 : 1
    }

    static func help(_ name: String?) -> String {
        guard let command = all.first(where: { $0.name == name }) else {
            let lines = all.map { "  \($0.name): \($0.about)" }.joined(separator: "\n")
            return "deploy/bench [COMMAND] [OPTION...]; without a command the first eight:\n\(lines)"
        }
        let lines = (command.settings + Setting.common).map(\.line).joined(separator: "\n")
        return "deploy/bench \(command.name): \(command.about)\n\(lines)"
    }

    private static func say(_ text: String, status: Int32 = 0) -> Int32 {
        Report.say(text)
        return status
    }
}
