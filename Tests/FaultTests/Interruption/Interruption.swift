import InternalAPI
import TestSupport

/// An act and the `kill -9` in its midst; judged once token-service runs again.
struct Interruption: Sendable {
    /// How long after its answer an act may have something left to write.
    private static let afterglow = Duration.milliseconds(300)
    private static let publishingLimit = Duration.seconds(5)

    let act: InterruptedAct
    let point: Tracer.Point
    /// Whether the process was killed; else the act has fewer such calls.
    let isKilled: Bool
    private let stack: LatchkeyStack
    private let before: [String: Int]
    private let answer: HTTPAnswer?
    /// Of an act that was answered: whether gateways knew of it while token-service was gone.
    private let wasKnown: Bool

    var isAcknowledged: Bool { answer?.status == 200 }

    /// Lets the process do the act and die at `point`.
    init(
        _ kind: InterruptedAct.Kind, at point: Tracer.Point, _ stack: LatchkeyStack, _ victim: ProcessTwin.Running
    ) async throws {
        let act = try await InterruptedAct(kind, stack, at: victim.service)
        let before = try DatabaseCheck(of: stack).records(ofUser: act.user)
        let (answer, isKilled) = try await Tracer.killing(victim.process, at: point) {
            // Killed: no answer.
            let answer: HTTPAnswer?
            do { answer = try await act.perform(at: victim.service) } catch { answer = nil }
            do {
                try await eventually("the process is killed", within: Self.afterglow, every: .milliseconds(5)) {
                    Tracer.hasEnded(victim.process)
                }
                return (answer, true)
            } catch is NeverTrue { return (answer, false) }
        }
        (self.act, self.point, self.stack, self.before) = (act, point, stack, before)
        (self.answer, self.isKilled) = (answer, isKilled)
        wasKnown = answer?.status == 200 && act.kind.endsSessions ? try await Self.isKnown(act, stack) : true
    }

    /// Whether the gateway refuses what has ended; 403: its user is deactivated.
    private static func isKnown(_ act: InterruptedAct, _ stack: LatchkeyStack) async throws -> Bool {
        for session in act.sessions {
            let answer = try await stack.gateway.get("/api/hello", bearer: session.accessToken)
            guard answer.status == 401 || answer.status == 403 else { return false }
        }
        return true
    }

    /// What is half, lost or cannot be repeated; empty when all is well.
    /// - Parameter service: token-service, as it was started after the kill.
    func findings(at service: TestHTTPClient) async throws -> [String] {
        var findings: [String] = []
        let check = DatabaseCheck(of: stack)
        let records = try check.records(ofUser: act.user)
        let whole = before.merging(act.kind.changes, uniquingKeysWith: +)
        if records != before, records != whole { findings.append("half: \(records)") }
        if records != whole, isAcknowledged { findings.append("acknowledged and not there: \(records)") }
        if !wasKnown { findings.append("acknowledged before the gateway knew") }
        findings += try check.findings() + check.rotationFindings()
        findings += try await repeated(at: service, whole)
        if act.kind.endsSessions { findings += try await lives(at: service) }
        return findings.map { "\(act.kind) killed at \(point): \($0)" }
    }

    /// Whether the act still stands in whole before it is repeated.
    func isWhole() throws -> Bool {
        try DatabaseCheck(of: stack).records(ofUser: act.user) != before
    }

    /// The same request again brings what it would have brought, once.
    private func repeated(at service: TestHTTPClient, _ whole: [String: Int]) async throws -> [String] {
        let again = try await act.perform(at: service)
        guard again.status == 200 else { return ["a repeat is answered \(again.status)"] }
        var findings: [String] = []
        let tokens = try act.tokens(in: again)
        if !act.kind.endsSessions, tokens == nil { findings.append("a repeat brings no tokens") }
        if let first = try act.tokens(in: answer), first.refreshToken != tokens?.refreshToken {
            findings.append("a repeat brings other tokens")
        }
        // A repeated deactivation is one more record of the operator's act, and nothing else.
        var (records, expected) = (try DatabaseCheck(of: stack).records(ofUser: act.user), whole)
        (records["user.revoked"], expected["user.revoked"]) = (nil, nil)
        if records != expected { findings.append("after a repeat: \(records)") }
        return findings
    }

    /// What ended is refused everywhere, and Redis knows all of it.
    private func lives(at service: TestHTTPClient) async throws -> [String] {
        var findings: [String] = []
        for session in act.sessions where try await !act.isRefused(session, at: service) {
            findings.append("an ended session refreshes")
        }
        do {
            try await eventually("gateways know", within: Self.publishingLimit) {
                try await Self.isKnown(act, stack)
            }
            try await eventually("all is published", within: Self.publishingLimit) {
                try DatabaseCheck(of: stack).unpublishedRevocations() == 0
            }
        } catch let error as NeverTrue { findings.append("\(error)") }
        return findings
    }
}
