import Foundation
import InternalAPI
import Policies
import ServiceKit
import TestSupport
import Testing

@testable import GatewayCore

/// The deployment's state, as administrators are told it.
@Suite struct AdminStateTests {
    private static func state(
        _ figures: [(String, [String: String], Double)] = [], problems: [String] = [], hash: String = "a",
        keys: KeyList? = nil
    ) -> ServiceState {
        ServiceState(
            policyHash: hash, problems: problems,
            figures: figures.map { .init(metric: $0.0, labels: $0.1, value: $0.2) }, keys: keys)
    }

    private static let signing = KeyList(
        algorithms: ["RS256"], keys: [KeyFacts(kid: "k1", algorithm: "RS256", state: .signing)])

    private static func today(
        gateway: ServiceState = state(), user: ServiceState = state(), token: ServiceState? = state(keys: signing),
        otp: ServiceState? = state(), spend: GuardReport? = GuardReport()
    ) -> AdminToday {
        AdminToday(TodayReport(user: user, token: token, otp: otp, spend: spend), gateway: gateway, at: 1_000)
    }

    /// The problems as `part code detail`.
    private static func problems(_ today: AdminToday) -> [String] {
        today.parts.flatMap { part in
            part.problems.map { "\(part.name) \($0.code.rawValue)" + ($0.detail.map { " \($0)" } ?? "") }
        }
    }

    private static func spent(_ hour: Int64, of budget: Int64) -> GuardReport {
        GuardReport(
            mode: "enforce", currency: "USD", strangersPercent: 80,
            rows: [
                .init(
                    row: "+44", sends: 1, approved: 1, spent: hour, refused: 0, spentThisHour: hour, hourBudget: budget,
                    spentToday: hour, dayBudget: nil)
            ])
    }

    @Test func `nothing is wrong with services that have no problem`() {
        let today = Self.today()
        #expect(today.parts.map(\.name) == ["gateway", "user", "token", "otp"])
        #expect(today.parts.allSatisfy { $0.state == .ok } && Self.problems(today).isEmpty)
        #expect(today.circuits?.isEmpty == true && today.keys?.map(\.kid) == ["k1"] && today.spend != nil)
    }

    @Test func `an unavailable service is missing, and the others are there`() {
        let today = Self.today(token: nil, otp: nil, spend: nil)
        #expect(today.parts.map(\.state) == [.ok, .ok, .missing, .missing])
        #expect(Self.problems(today) == ["token unreachable", "otp unreachable"])
        #expect(today.circuits == nil && today.keys == nil && today.spend == nil && today.unpublishedRevocations == nil)
    }

    @Test func `each figure that is out of bounds is a problem of its part`() {
        let circuit = "auth_provider_circuit_state"
        let today = Self.today(
            gateway: Self.state([("auth_revocation_replica_age_seconds", [:], 1.5)], hash: "b"),
            user: Self.state([("sqlite_copy_age_seconds", [:], 61), ("sqlite_backup_age_seconds", [:], 400)]),
            token: Self.state(
                [
                    ("auth_revocations_unpublished", [:], 2), ("sqlite_backup_age_seconds", [:], 300),
                    ("auth_rate_limited_total", ["rule": "oauth_client"], 3),
                ], keys: KeyList(algorithms: ["RS256", "EdDSA"], keys: Self.signing.keys)),
            otp: Self.state(
                [
                    (circuit, ["provider": "b", "channel": "sms"], 2),
                    (circuit, ["provider": "a", "channel": "sms"], 0),
                    ("auth_rate_limited_total", ["rule": "phone", "route": "/x"], 1),
                    ("auth_rate_limited_total", ["rule": "phone", "route": "/y"], 2),
                ], problems: ["redis"]),
            spend: Self.spent(80, of: 100))
        #expect(
            Self.problems(today) == [
                "gateway policy_differs", "gateway revocations_late", "user copy_old", "token revocations_unpublished",
                "token no_signing_key EdDSA", "otp not_ready redis", "otp circuit_open b sms", "otp budget_near +44",
            ])
        #expect(today.parts.map(\.state) == [.warning, .warning, .failing, .failing])
        #expect(today.revocationLagMilliseconds == 1_500 && today.unpublishedRevocations == 2)
        #expect(today.lastBackupAt == 600 && today.lastCopyAt == 939)
        #expect(today.circuits?.map { "\($0.provider) \($0.state.rawValue)" } == ["a closed", "b open"])
        #expect(today.limits.map { "\($0.part) \($0.rule) \($0.refused)" } == ["token oauth_client 3", "otp phone 3"])
    }

    @Test(
        arguments: [(79, 100, nil), (80, 100, "near"), (100, 100, "used"), (0, 0, "used"), (.max, 1, "used")]
            as [(Int64, Int64, String?)])
    func `a budget is near its end from four fifths on`(spent: Int64, budget: Int64, word: String?) {
        let problems = Self.problems(Self.today(spend: Self.spent(spent, of: budget)))
        #expect(problems == (word.map { ["otp budget_\($0) +44"] } ?? []))
    }

    @Test func `the words of a series are read by its name`() {
        let series = AdminSeries(
            CountSeries(
                from: 0, stepSeconds: 3_600,
                counts: [
                    "codes_sent/+44/sms": [1], "spend/other": [2], "sign_ins/sms": [3], "reuse": [4], "new/thing": [5],
                ], missing: ["token"]))
        let words = series.series.map { counts in
            [counts.name.rawValue, counts.kind, counts.country, counts.channel].map { $0 ?? "-" }.joined(separator: " ")
        }
        #expect(
            words == [
                "codes_sent - +44 sms", "other thing - -", "reuse - - -", "sign_ins sms - -", "spend - other -",
            ])
        #expect(series.missing == ["token"])
    }
}

/// The policy in effect beside the shipped one.
@Suite struct AdminPolicyReportTests {
    private static func shipped(changing old: String, to new: String) throws -> Policy {
        let text = String(decoding: try #require(ShippedPolicy.texts["howru"]), as: UTF8.self)
        try #require(text.contains(old))
        return try Policy.parse(text.replacing(old, with: new), file: "howru.yaml")
    }

    @Test func `every policy of the folder is shipped, and reads`() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: LatchkeyStack.root + "deploy/policies")
            .filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(".yaml".count)) }
        #expect(Set(ShippedPolicy.texts.keys) == Set(files))
        for name in files { #expect(ShippedPolicy.named(name, appName: nil)?.name == name) }
        #expect(ShippedPolicy.named("mine", appName: nil) == nil)
    }

    @Test func `a changed key is listed with both values`() throws {
        let running = try Self.shipped(changing: "  api: false", to: "  api: true")
        let report = AdminPolicyReport(running, shipped: ShippedPolicy.named("howru", appName: nil))
        #expect(report.isShipped && report.name == "howru" && report.hash == running.hash)
        #expect(report.differences.map(\.key) == ["admin.api"])
        #expect(report.differences.first?.running == "true" && report.differences.first?.shipped == "false")
        #expect(report.limits.contains { $0.key.hasPrefix("admin.limit") && $0.value.contains("300") })
    }

    @Test func `a code that lets people in is left out`() throws {
        let running = try Self.shipped(
            changing: "  length: 6 ", to: "  fixedCode: { code: \"135790\", environments: [uat] }\n  length: 6 ")
        let report = AdminPolicyReport(running, shipped: ShippedPolicy.named("howru", appName: nil))
        #expect(report.differences.filter(\.isSecret).map(\.key) == ["otp.fixedCode.code"])
        #expect(!String(decoding: try JSONEncoder().encode(report), as: UTF8.self).contains("135790"))
    }

    @Test(
        arguments: [
            ("howru", "otp.sendsPerPhone"), ("howru", "otp.attemptsPerChallenge"), ("howru", "edge.authLimit"),
            ("gremlin", "passwords.mails.inTotal"),
        ])
    func `a limit is listed wherever it is`(policy: String, key: String) throws {
        let report = AdminPolicyReport(try #require(ShippedPolicy.named(policy, appName: nil)), shipped: nil)
        #expect(report.limits.contains { $0.key.hasPrefix(key) }, "\(report.limits.map(\.key))")
    }

    @Test func `a policy of another name has no differences`() throws {
        let running = try Self.shipped(changing: "  api: false", to: "  api: true")
        #expect(AdminPolicyReport(running, shipped: nil).differences.isEmpty)
    }
}
