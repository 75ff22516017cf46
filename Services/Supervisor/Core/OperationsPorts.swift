/// The operations ports of a data directory's processes. They stay the same across starts, so that a Prometheus finds them.
struct OperationsPorts {
    private var known: [String: UInt16]

    /// - Parameter text: The file's text, `NAME PORT` on each line; `nil` without a file. Other lines are ignored.
    init(parsing text: String?) {
        let pairs = (text ?? "").split(whereSeparator: \.isNewline).compactMap { line -> (String, UInt16)? in
            let words = line.split(separator: " ")
            guard words.count == 2, let port = UInt16(words[1]), port > 0 else { return nil }
            return (String(words[0]), port)
        }
        known = Dictionary(pairs) { _, last in last }
    }

    /// The file's text, with processes that are not part of this start too.
    var text: String { known.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)\n" }.joined() }

    /// Whether a process has had this port, so that no other one may get it.
    func isKept(_ port: UInt16) -> Bool { known.values.contains(port) }

    /// Returns the port of a process: the one that it had, or another one if that is taken.
    ///
    /// - Parameters:
    ///   - isFree: Whether no other program listens on a port.
    ///   - next: Returns a free port that no process of this stack has.
    ///   - note: Receives a warning if the port is another one than before.
    mutating func take(
        _ name: String, isFree: (UInt16) -> Bool, next: () throws(StartFailure) -> UInt16, note: (String) -> Void
    ) throws(StartFailure) -> UInt16 {
        let kept = known[name]
        // Two processes have the same port only in a file that was edited by hand.
        if let kept, known.values.count(where: { $0 == kept }) == 1, isFree(kept) { return kept }
        let port = try next()
        known[name] = port
        if let kept {
            note(
                "warning: the operations port \(kept) of \(name) is taken; it is \(port) now. Change it where metrics are collected."
            )
        }
        return port
    }
}
