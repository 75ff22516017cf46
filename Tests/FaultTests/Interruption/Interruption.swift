import InternalAPI
import ServiceKit
import TestSupport

import struct FoundationEssentials.UUID

/// An act and the `kill -9` in its midst; judged once the process runs again.
struct Interruption: Sendable {
    /// How long after its answer an act may have something left to write.
    private static let afterglow = Duration.milliseconds(300)
    private static let knownLimit = Patience.limit

    let operation: DurableOperation
    let act: InterruptedAct
    let point: Tracer.Point
    /// Whether the process was killed; else the act has fewer such calls.
    let isKilled: Bool
    private let stack: LatchkeyStack
    private let before: [String: Int]
    private let answer: HTTPAnswer?
    /// Whether gateways knew of an answered operation while the process was gone.
    private let wasKnown: Bool

    var isAcknowledged: Bool { answer?.status == 200 }

    /// Lets the process do the act and die at `point`.
    init(
        _ operation: DurableOperation, at point: Tracer.Point, _ stack: LatchkeyStack, _ victim: ProcessTwin.Running
    ) async throws {
        let act = try await operation.prepare(stack, victim)
        let before = try act.records()
        let (answer, isKilled) = try await Tracer.killing(victim.process, at: point) {
            // Killed: no answer.
            let answer: HTTPAnswer?
            do { answer = try await act.perform(victim.service) } catch { answer = nil }
            do {
                try await eventually("the process is killed", within: Self.afterglow, every: .milliseconds(5)) {
                    Tracer.hasEnded(victim.process)
                }
                return (answer, true)
            } catch is NeverTrue { return (answer, false) }
        }
        (self.operation, self.act, self.point, self.stack) = (operation, act, point, stack)
        (self.before, self.answer, self.isKilled) = (before, answer, isKilled)
        wasKnown = answer?.status == 200 ? try await Self.isKnown(act, stack) : true
    }

    /// Whether the gateway refuses what has ended; 403: its user is deactivated.
    private static func isKnown(_ act: InterruptedAct, _ stack: LatchkeyStack) async throws -> Bool {
        for session in act.ends {
            let answer = try await stack.gateway.get("/api/hello", bearer: session.accessToken)
            guard answer.status == 401 || answer.status == 403 else { return false }
        }
        return true
    }

    /// Returns what is half done, lost or not repeatable; empty if there is nothing.
    /// - Parameter service: the process, as it was started after the kill.
    func findings(at service: TestHTTPClient) async throws -> [String] {
        var findings = Self.judge(
            act, before: before, after: try act.records(), isAcknowledged: isAcknowledged, wasKnown: wasKnown)
        let check = DatabaseCheck(of: stack)
        findings += try await check.findings() + check.rotationFindings()
        findings += try await repeated(at: service)
        if !act.ends.isEmpty { findings += try await lives(at: service) }
        findings += try await act.aftermath(service)
        return findings.map { "\(operation.name) killed at \(point): \($0)" }
    }

    /// Judges the records of an operation that was interrupted.
    static func judge(
        _ act: InterruptedAct, before: [String: Int], after: [String: Int], isAcknowledged: Bool, wasKnown: Bool
    ) -> [String] {
        let whole = whole(act, before)
        var findings: [String] = []
        if after != before, after != whole { findings.append("half: \(after)") }
        if after != whole, isAcknowledged { findings.append("acknowledged and not there: \(after)") }
        if !wasKnown { findings.append("acknowledged before the gateway knew") }
        return findings
    }

    /// The records once all of the act is done; of what there is none there is no count.
    private static func whole(_ act: InterruptedAct, _ before: [String: Int]) -> [String: Int] {
        before.merging(act.changes, uniquingKeysWith: +).filter { $0.value != 0 }
    }

    /// Whether the act still stands in whole before it is repeated.
    func isWhole() throws -> Bool { try act.records() != before }

    /// Repeats the request, which must have its original result, once.
    private func repeated(at service: TestHTTPClient) async throws -> [String] {
        let again = try await act.perform(service)
        guard again.status == 200 else { return ["a repeat is answered \(again.status)"] }
        var findings: [String] = []
        if let answer, isAcknowledged, try act.gain(answer) != act.gain(again) {
            findings.append("a repeat brings something else")
        }
        let whole = Self.whole(act, before)
        let records = try act.records()
        if Self.once(records, act) != Self.once(whole, act) { findings.append("after a repeat: \(records)") }
        return findings
    }

    private static func once(_ records: [String: Int], _ act: InterruptedAct) -> [String: Int] {
        records.filter { !act.repeated.contains($0.key) }
    }

    /// Checks that revoked sessions are refused everywhere, Redis knows all of them, and no message waits.
    private func lives(at service: TestHTTPClient) async throws -> [String] {
        var findings: [String] = []
        if !act.endsLater { findings += try await refreshing(at: service) }
        do {
            try await eventually("gateways know", within: Self.knownLimit) {
                try await Self.isKnown(act, stack)
            }
            try await eventually("all is published") {
                // A mail waits behind a worker that was killed for as long as its lease lasts; an act's effect asks for it.
                let check = DatabaseCheck(of: stack)
                return try check.unpublishedRevocations() == 0 && check.waitingMessages(of: "token") == 0
            }
            try await eventually("others have done their part") {
                try await act.effect()
            }
        } catch let error as NeverTrue { findings.append("\(error)") }
        if act.endsLater { findings += try await refreshing(at: service) }
        return findings
    }

    private func refreshing(at service: TestHTTPClient) async throws -> [String] {
        var findings: [String] = []
        for session in act.ends where try await !isRefused(session, at: service) {
            findings.append("an ended session refreshes")
        }
        return findings
    }

    /// Whether the newest token of a session is refused.
    private func isRefused(_ session: TokenSet, at service: TestHTTPClient) async throws -> Bool {
        let caller = ServiceCaller(stack: stack, client: operation.process == "token" ? service : nil)
        let request = RefreshRequest(refreshToken: session.refreshToken, idempotencyKey: UUID().uuidString)
        let answer = try await caller.post("token", TokenOperations.refresh.path, request)
        guard answer.status == 200 else { return false }
        return try answer.decoded(RefreshAnswer.self).tokens == nil
    }
}
