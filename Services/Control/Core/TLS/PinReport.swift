import TLSPairs

/// The state of the keys of a deployment's certificates: in use, or kept as a backup.
struct PinReport {
    /// The certificates of the folder, including those that cannot be served.
    let entries: [TLSFolder.Entry]
    /// The pins in `edge.tls.pins`.
    let listed: [SPKIPin]
    /// The pins of keys that the operator keeps.
    let backupKeys: [SPKIPin]

    private var pairs: [TLSPair] {
        entries.compactMap { if case .success(let pair) = $0.result { pair } else { nil } }
    }
    private var pinsInUse: [SPKIPin] { pairs.map(\.pin) }

    /// The pins that no certificate has yet, each once.
    var backups: [SPKIPin] {
        var found: [SPKIPin] = []
        for pin in listed + backupKeys where !pinsInUse.contains(pin) && !found.contains(pin) { found.append(pin) }
        return found
    }

    /// The report with one line for each certificate and each backup under a heading.
    var table: String {
        let heading = ["NAME", "EXPIRES", "PIN", "STATE"]
        let certificates = entries.map { entry -> [String] in
            switch entry.result {
            case .success(let pair): [entry.name, TimeText.text(pair.notAfter), pair.pin.description, "in use"]
            case .failure(let problem): [entry.name, TimeText.text(nil), "-", "refused: \(problem)"]
            }
        }
        let waiting = backups.map { ["-", TimeText.text(nil), $0.description, "backup"] }
        return TextTable.text([heading] + certificates + waiting)
    }

    /// - Throws: `CommandFailure` with a reason not to pin these keys.
    func check() throws {
        guard !pairs.isEmpty else {
            throw CommandFailure(description: "there is no certificate whose key could be pinned")
        }
        for pair in pairs {
            if let problem = pair.problem(pins: listed) {
                throw CommandFailure(description: "\(pair.name): \(problem)")
            }
        }
        guard !backups.isEmpty else {
            throw CommandFailure(
                description: """
                    there is no backup: without one the apps are lost with the key. Make one with `latchkeyctl tls \
                    new-key FILE`, and put its pin beside the one in use into edge.tls.pins, or name it with --backup FILE
                    """)
        }
    }

    /// The hosts of the certificates, by name. Each has the pins of the certificates that contain it, and those of the backups.
    var domains: [PinnedDomain] {
        let names = Set(pairs.flatMap(\.names)).filter(PinnedDomain.isHostName)
        return Dictionary(grouping: names, by: PinnedDomain.host).sorted { $0.key < $1.key }.map { host, names in
            PinnedDomain(host: host, names: names.sorted(by: >), pins: pins(of: names))
        }
    }

    private func pins(of names: [String]) -> [SPKIPin] {
        var found: [SPKIPin] = []
        for pair in pairs where names.contains(where: pair.names.contains) && !found.contains(pair.pin) {
            found.append(pair.pin)
        }
        return found + backups
    }
}

/// A host whose key apps pin. One entry is for the host and the names below it, since Android does not accept a second one.
struct PinnedDomain: Equatable {
    /// The host name without `*.`.
    let host: String
    /// The names as certificates contain them: the host, `*.` with the host, or both.
    let names: [String]
    let pins: [SPKIPin]

    /// Whether a certificate is for the names below the host.
    var isWildcard: Bool { names.contains { $0.hasPrefix("*.") } }

    /// Whether a name can be pinned; IP addresses cannot.
    static func isHostName(_ name: String) -> Bool { name.contains(where: \.isLetter) && !name.contains(":") }

    static func host(_ name: String) -> String { name.hasPrefix("*.") ? String(name.dropFirst(2)) : name }
}
