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
        guard !pairs.isEmpty else { throw CommandFailure(description: "there is no certificate to pin") }
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

    /// The host names of the certificates, by name, each with the pins of those that bear it and of the backups.
    var domains: [PinnedDomain] {
        let names = Set(pairs.flatMap(\.names)).sorted()
        return names.compactMap { PinnedDomain(name: $0, pins: pins(of: $0)) }
    }

    private func pins(of name: String) -> [SPKIPin] {
        var found: [SPKIPin] = []
        for pair in pairs where pair.names.contains(name) && !found.contains(pair.pin) { found.append(pair.pin) }
        return found + backups
    }
}

/// A host name whose key apps pin.
struct PinnedDomain: Equatable {
    /// Without `*.`.
    let host: String
    /// Whether the certificate is for the names below it, by `*.`.
    let isWildcard: Bool
    let pins: [SPKIPin]

    /// Nil for addresses, which nobody can pin.
    init?(name: String, pins: [SPKIPin]) {
        guard name.contains(where: \.isLetter), !name.contains(":") else { return nil }
        isWildcard = name.hasPrefix("*.")
        host = isWildcard ? String(name.dropFirst(2)) : name
        self.pins = pins
    }
}
