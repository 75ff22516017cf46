/// Gathers everything that is wrong with a policy file, so that one start reports all of it.
final class PolicyFindings {
    let file: String
    private var findings: [PolicyError.Finding] = []

    init(file: String) {
        self.file = file
    }

    func add(line: Int, keyPath: String, _ message: String) {
        findings.append(.init(file: file, line: line, keyPath: keyPath, message: message))
    }

    /// Throws the findings in the order of the file, or returns if there are none.
    func finish() throws(PolicyError) {
        guard !findings.isEmpty else { return }
        let ordered = findings.enumerated().sorted {
            ($0.element.line ?? 0, $0.offset) < ($1.element.line ?? 0, $1.offset)
        }
        throw PolicyError(findings: ordered.map(\.element))
    }
}
