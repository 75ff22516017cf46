import InternalAPI

/// Checks the files of a deployment as each process does at its start.
struct SetupCheck: Sendable {
    let files: SetupFiles
    let settings: [SetupSetting]

    /// Returns the warnings and faults of all processes, each once.
    func findings() -> [Finding] {
        var found: [Finding] = []
        for process in Doctor.processes {
            let findings = Doctor(process: process, variables: variables(of: process.rawValue)).settingsFindings()
            found += findings.filter { finding in
                finding.level != .ok && !found.contains { $0.text == finding.text }
            }
        }
        return found
    }

    /// Returns the variables that the unit of a process sets, and a folder that exists for the data, which systemd makes later.
    private func variables(of process: String) -> [String: String] {
        let units = [
            "LATCHKEY_SECRETS_DIR": files.secrets, "REDIS_USER": process, "LATCHKEY_DATA_DIR": files.folder,
        ]
        return settings.reduce(into: units) { $0[$1.name] = $1.value }
    }
}
