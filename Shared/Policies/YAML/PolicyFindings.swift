/// Gathers what is wrong with a policy file, so that one start names everything.
final class PolicyFindings {
    let file: String
    private var findings: [PolicyError.Finding] = []

    init(file: String) {
        self.file = file
    }

    func add(line: Int, keyPath: String, _ message: String) {
        findings.append(.init(file: file, line: line, keyPath: keyPath, message: message))
    }

    /// Throws what was gathered, in the order of the file; returns when nothing was.
    func finish() throws(PolicyError) {
        guard !findings.isEmpty else { return }
        let ordered = findings.enumerated().sorted {
            ($0.element.line ?? 0, $0.offset) < ($1.element.line ?? 0, $1.offset)
        }
        throw PolicyError(findings: ordered.map(\.element))
    }
}
