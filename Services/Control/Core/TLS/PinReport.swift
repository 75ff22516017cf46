import TLSPairs

/// What is known of the keys of a deployment's certificates: which serve, which wait.
struct PinReport {
    /// The certificates of the folder, with those that cannot be served.
    let entries: [TLSFolder.Entry]
    /// `edge.tls.pins`.
    let listed: [SPKIPin]
    /// Pins of keys that somebody keeps.
    let backupKeys: [SPKIPin]

    private var pairs: [TLSPair] {
        entries.compactMap { if case .success(let pair) = $0.result { pair } else { nil } }
    }
    private var pinsInUse: [SPKIPin] { pairs.map(\.pin) }

    /// Pins that no certificate has yet, each once.
    var backups: [SPKIPin] {
        var found: [SPKIPin] = []
        for pin in listed + backupKeys where !pinsInUse.contains(pin) && !found.contains(pin) { found.append(pin) }
        return found
    }

    /// One line for each certificate and each backup under a heading.
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

    /// - Throws: `CommandFailure` with what speaks against pinning these.
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

    /// The hosts of the certificates, by name, each with the pins of those that bear it and of the backups.
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

/// A host whose key apps pin; one entry for the host itself and the names below it, since Android takes no second one.
struct PinnedDomain: Equatable {
    /// Without `*.`.
    let host: String
    /// As they stand in certificates: the host, the host behind `*.`, or both.
    let names: [String]
    let pins: [SPKIPin]

    /// Whether a certificate is for the names below it.
    var isWildcard: Bool { names.contains { $0.hasPrefix("*.") } }

    /// Whether it can be pinned: addresses cannot.
    static func isHostName(_ name: String) -> Bool { name.contains(where: \.isLetter) && !name.contains(":") }

    static func host(_ name: String) -> String { name.hasPrefix("*.") ? String(name.dropFirst(2)) : name }
}
