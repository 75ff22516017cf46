import AuthAPI
import Foundation
import Glibc
import StrictJSON
import TestSupport
import Testing

/// The deployment's state, counts over time and the policy in effect, through all processes.
extension Live.AdminAPITests {
    private static let paths = ["/admin/today", "/admin/series", "/admin/series?days=30", "/admin/policy"]

    private struct Counts: Decodable {
        struct One: Decodable {
            let name: String
            let kind: String?
            let country: String?
            let channel: String?
            let counts: [Int64]
        }

        let from: Int64
        let stepSeconds: Int64
        let series: [One]
        let missing: [String]

        /// The sum of the series of a name over all steps.
        func sum(_ name: String, kind: String? = nil) -> Int64 {
            series.filter { $0.name == name && (kind == nil || $0.kind == kind) }.flatMap(\.counts).reduce(0, +)
        }
    }

    private struct Today: Decodable {
        struct Part: Decodable {
            let name: String
            let state: String
        }

        struct Key: Decodable { let state: String }

        let at: Int64
        let parts: [Part]
        let keys: [Key]?
        let revocationLagMilliseconds: Int64?
        let lastBackupAt: Int64?

        func state(_ name: String) -> String? { parts.first { $0.name == name }?.state }
    }

    private func counts(_ admin: Person, days: Int = 1) async throws -> Counts {
        let answer = try await send("GET", "/admin/series?days=\(days)", admin.token)
        try #require(answer.status == 200, "\(answer.status) \(answer.text)")
        return try answer.decoded()
    }

    private func today(_ admin: Person) async throws -> Today {
        let answer = try await send("GET", "/admin/today", admin.token)
        try #require(answer.status == 200, "\(answer.status) \(answer.text)")
        return try answer.decoded()
    }

    @Test func `three sign-ins, their codes and a refused one are counted`() async throws {
        let admin = try await person(role: "admin")
        let before = try await counts(admin)
        let phones = (0..<3).map { _ in LatchkeyStack.freshPhone() }
        for phone in phones { _ = try await stack.signIn(phone: phone) }
        let refused = LatchkeyStack.freshPhone()
        try await stack.requestCode(for: refused)
        let code = try await stack.code(for: refused)
        let wrong = try await send(
            "POST", "/auth/otp/verify", nil,
            #"{"phoneNumber":"\#(refused)","code":"\#(code == "000000" ? "000001" : "000000")"}"#)
        #expect(wrong.status == 401, "\(wrong.status) \(wrong.text)")
        // Sign-ins are counted when the counts are read; codes come with their records a moment later.
        let after = try await counts(admin)
        #expect(after.sum("sign_ins") >= before.sum("sign_ins") + 3)
        #expect(after.sum("new_users") >= before.sum("new_users") + 3)
        #expect(
            after.missing.isEmpty && after.stepSeconds == 3_600 && after.series.allSatisfy { $0.counts.count == 24 })
        try await eventually("the codes are counted") {
            let now = try await counts(admin)
            return now.sum("codes_sent") >= before.sum("codes_sent") + 4
                && now.sum("sign_ins_refused", kind: "code") > before.sum("sign_ins_refused", kind: "code")
                && now.sum("codes_used") >= before.sum("codes_used") + 3
        }
        let month = try await counts(admin, days: 30)
        #expect(month.sum("sign_ins") >= after.sum("sign_ins"))
        #expect(month.stepSeconds == 86_400 && month.series.allSatisfy { $0.counts.count == 30 })
        let sent = month.series.filter { $0.name == "codes_sent" }
        #expect(!sent.isEmpty && sent.allSatisfy { $0.country != nil && $0.channel != nil && $0.kind == nil })
        // No series has anything of a person.
        let text = try await send("GET", "/admin/series?days=30", admin.token).text
        for phone in phones { #expect(!text.contains(phone) && !text.contains(phone.dropFirst(2))) }
    }

    @Test func `a refresh is counted`() async throws {
        let admin = try await person(role: "admin")
        let before = try await counts(admin)
        let tokens = try await stack.signIn(phone: LatchkeyStack.freshPhone()).tokens
        let body = #"{"refreshToken":"\#(tokens.refreshToken)"}"#
        #expect(try await send("POST", "/auth/refresh", nil, body).status == 200)
        let after = try await counts(admin)
        #expect(after.sum("refreshes", kind: "rotated") > before.sum("refreshes", kind: "rotated"))
    }

    @Test func `with otp-service stopped it is named, and everything else is there`() async throws {
        let admin = try await person(role: "admin")
        let whole = try await today(admin)
        #expect(
            ["gateway", "user", "token", "otp"].allSatisfy { whole.state($0) != nil && whole.state($0) != "missing" })
        #expect(whole.keys?.contains { $0.state == "signing" } == true && whole.revocationLagMilliseconds != nil)
        try await stack.without(["otp"], by: SIGTERM) {
            try await eventually("otp-service is missing") { try await today(admin).state("otp") == "missing" }
            let rest = try await today(admin)
            #expect(rest.state("token") != "missing" && rest.keys?.isEmpty == false)
            #expect(try await counts(admin).missing.isEmpty)
        }
        try await stack.without(["token"], by: SIGTERM) {
            try await eventually("token-service is missing") { try await today(admin).state("token") == "missing" }
            #expect(try await today(admin).keys == nil)
            #expect(try await counts(admin).missing == ["token"])
        }
        try await stack.untilReady()
    }

    @Test func `the policy in effect is compared with the shipped one, without secrets`() async throws {
        let admin = try await person(role: "admin")
        let answer = try await send("GET", "/admin/policy", admin.token)
        #expect(answer.status == 200)
        let report = try #require(try StrictJSON.parse(answer.body, limits: .own).objectValue)
        // The stack's policy has a name of its own, which Latchkey does not ship.
        #expect(report["isShipped"]?.boolValue == false && report["differences"]?.arrayValue?.isEmpty == true)
        #expect(report["hash"]?.stringValue?.isEmpty == false && report["limits"]?.arrayValue?.isEmpty == false)
        #expect(answer.text.contains("admin.limit"))
    }

    @Test func `only administrators read them, nonsense is refused, and each reading is a record`() async throws {
        let (admin, anna) = (try await person(role: "admin"), try await person())
        let reason = "ticket \(Int.random(in: 1...1_000_000_000))"
        for path in Self.paths {
            #expect(try await send("GET", path, admin.token, headers: [("Latchkey-Reason", reason)]).status == 200)
            #expect(try await send("GET", path, anna.token).status == 403, "\(path)")
            #expect(try await send("GET", path, nil).status == 401, "\(path)")
            #expect(try await send("POST", path, admin.token, "{}").status == 404, "\(path)")
        }
        #expect(try await records(reason) == Array(repeating: "user.looked_up", count: Self.paths.count))
        for query in ["0", "2", "31", "-1", "x", "1e0", "99999999999999999999", "1&days=1"] {
            #expect(try await send("GET", "/admin/series?days=\(query)", admin.token).status == 400, "\(query)")
        }
    }

    @Test func `the time of a backup is shown`() async throws {
        let admin = try await person(role: "admin")
        let backup = try await stack.control(
            "backup --data \(stack.dataDirectory) --to \(stack.dataDirectory)/backup-state")
        guard backup.isSuccess else { return #expect(backup.output.contains("PostgreSQL"), "\(backup.output)") }
        try await eventually("the backup is seen") { try await today(admin).lastBackupAt != nil }
        let seen = try await today(admin)
        #expect(seen.at - (seen.lastBackupAt ?? 0) < 120)
    }
}

extension Live {
    /// A changed copy of a shipped policy.
    @Suite(.timeLimit(.minutes(5))) struct AdminPolicyTests {
        @Test func `a changed key of a shipped policy is listed with both values`() async throws {
            let folder = FileManager.default.temporaryDirectory.path + "/latchkey-policy-\(UUID().uuidString)"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let text = try PolicyText.howru(changing: ["  api: false": "  api: true"])
            try text.write(toFile: folder + "/howru.yaml", atomically: true, encoding: .utf8)
            try await LatchkeyStack.run(
                name: "AdminPolicyTests", environment: ["LATCHKEY_POLICY": folder + "/howru.yaml"]
            ) { stack in
                let phone = LatchkeyStack.freshPhone()
                try await stack.change(try await stack.signIn(phone: phone).user.id, role: "admin")
                let token = try await stack.signIn(phone: phone).tokens.accessToken
                let answer = try await stack.gateway.get("/admin/policy", bearer: token)
                let report = try #require(try StrictJSON.parse(answer.body, limits: .own).objectValue)
                let differences = (report["differences"]?.arrayValue ?? []).compactMap(\.objectValue)
                let api = try #require(differences.first { $0["key"]?.stringValue == "admin.api" }, "\(answer.text)")
                #expect(report["isShipped"]?.boolValue == true)
                #expect(api["running"]?.stringValue == "true" && api["shipped"]?.stringValue == "false")
            }
        }
    }
}
