import AuthAPI
import FoundationEssentials
import TestSupport
import Testing

/// The audits of all services, and a user's story, through all processes.
extension Live.AdminAPITests {
    private struct Page: Decodable {
        struct Record: Decodable, Hashable {
            let service: String
            let number: Int64
            let at: Int64
            let event: String
        }

        let records: [Record]
        let nextCursor: String?
    }

    private struct Told: Decodable {
        struct Line: Decodable {
            let at: Int64
            let sentence: String
        }

        let story: [Line]
        let liveSessions: [Line]
        let nextCursor: String?
    }

    private func pages(_ query: String, _ token: String) async throws -> [Page] {
        var (pages, cursor): ([Page], String?) = ([], nil)
        repeat {
            let answer = try await send(
                "GET", "/admin/audit?\(query)" + (cursor.map { "&cursor=\($0)" } ?? ""), token)
            try #require(answer.status == 200, "\(answer.status) \(answer.text)")
            pages.append(try answer.decoded())
            cursor = pages.last?.nextCursor
        } while cursor != nil && pages.count < 500
        return pages
    }

    @Test func `a period has the records of all services once each, by time, in pages of any size`() async throws {
        let admin = try await person(role: "admin")
        let from = Int64(Date().timeIntervalSince1970)
        for _ in 0..<3 { _ = try await person() }
        // The codes' records are moved into user-service's audit a moment later.
        try await eventually("the codes' records are moved") {
            try await stack.sql("users", "SELECT 1 FROM audit WHERE event = 'otp.sent' AND at >= \(from)").count >= 3
        }
        // The second ends before anything is read, so that the records of reading are not in the period.
        let to = Int64(Date().timeIntervalSince1970) + 1
        try await eventually("the second ends") { Int64(Date().timeIntervalSince1970) >= to }
        let whole = try await pages("from=\(from)&to=\(to)&limit=200", admin.token).flatMap(\.records)
        #expect(Set(whole.map(\.service)) == ["user", "token"])
        for event in ["session.opened", "user.created", "otp.sent"] {
            #expect(whole.contains { $0.event == event }, "\(event)")
        }
        for limit in [1, 3, 7] {
            let read = try await pages("from=\(from)&to=\(to)&limit=\(limit)", admin.token)
            #expect(read.allSatisfy { $0.records.count <= limit })
            let records = read.flatMap(\.records)
            #expect(records.count == Set(records).count, "repeated with \(limit)")
            #expect(Set(whole).isSubset(of: records), "lost with \(limit)")
        }
        #expect(whole.allSatisfy { (from..<to).contains($0.at) })
    }

    @Test func `a story says who signed in and who ended it, and every reading is a record`() async throws {
        let (admin, anna) = (try await person(role: "admin"), try await person())
        let reason = "ticket \(Int.random(in: 1...1_000_000_000))"
        let headers = [("Latchkey-Reason", reason)]
        let live: Told = try await send("GET", "/admin/users/\(anna.id)/story", admin.token, headers: headers).decoded()
        #expect(live.liveSessions.count == 1 && live.story.contains { $0.sentence.hasPrefix("The user signed in (") })
        let ended = try await send("DELETE", "/admin/users/\(anna.id)/sessions", admin.token, headers: headers)
        #expect(ended.status == 200)
        let told: Told = try await send("GET", "/admin/users/\(anna.id)/story", admin.token, headers: headers).decoded()
        #expect(told.liveSessions.isEmpty)
        let sentences = told.story.map(\.sentence)
        #expect(
            sentences.contains { $0.contains("end of sessions was requested") && $0.contains("by the administrator") },
            "\(sentences)")
        #expect(sentences.contains { $0.contains("for the reason \"\(reason)\"") }, "\(sentences)")
        #expect(sentences.contains { $0.hasPrefix("The account was created") }, "\(sentences)")
        #expect(told.story.map(\.at) == told.story.map(\.at).sorted(by: >))
        #expect(!sentences.contains { $0.contains(anna.phone) })
        #expect(try await records(reason) == ["user.looked_up", "user.sessions_ended", "user.looked_up"])
        let printed = try await stack.control("users story \(anna.id)")
        #expect(printed.isSuccess && printed.output.contains("The account was created"), "\(printed.output)")
        #expect(try await !stack.control("users story usr_0").isSuccess)
    }

    @Test func `a period, page or cursor of nonsense is refused`() async throws {
        let (admin, anna) = (try await person(role: "admin"), try await person())
        let page: Page = try await send("GET", "/admin/audit?from=1&to=99999999999&limit=1", admin.token).decoded()
        let cursor = try #require(page.nextCursor)
        let story = "/admin/users/\(anna.id)/story"
        for (path, status) in [
            ("/admin/audit", 400), ("/admin/audit?from=1", 400), ("/admin/audit?to=1", 400),
            ("/admin/audit?from=2&to=1", 400), ("/admin/audit?from=1&to=1", 400), ("/admin/audit?from=-1&to=5", 400),
            ("/admin/audit?from=today&to=5", 400), ("/admin/audit?from=1e3&to=5", 400),
            ("/admin/audit?from=1&to=9999999999999999999", 400), ("/admin/audit?from=1&from=1&to=5", 400),
            ("/admin/audit?from=1&to=5&limit=0", 400), ("/admin/audit?from=1&to=5&limit=201", 400),
            ("/admin/audit?from=1&to=5&limit=999999999999999", 400), ("/admin/audit?from=1&to=5&limit=x", 400),
            ("/admin/audit?from=1&to=5&cursor=x", 400), ("/admin/audit?from=1&to=5&cursor=%00", 400),
            ("/admin/audit?from=1&to=5&cursor=" + String(repeating: "A", count: 600), 400),
            ("/admin/audit?from=2&to=99999999999&cursor=\(cursor)", 400),
            ("/admin/audit?from=1&to=99999999999&user=\(anna.id)&cursor=\(cursor)", 400),
            ("/admin/audit?from=1&to=5&user=x", 404), ("/admin/audit?from=1&to=5&user=%27%20OR%201%3D1", 404),
            ("/admin/audit?from=1&to=5&user=usr_" + String(repeating: "0", count: 32), 404),
            ("/admin/audit?from=1&to=99999999999&cursor=\(cursor)&limit=200", 200),
            ("/admin/audit?from=1&to=2", 200), ("\(story)?cursor=\(cursor)", 400), ("\(story)?from=9&to=1", 400),
            ("\(story)?limit=0", 400), ("\(story)?limit=201", 400), ("/admin/users/x/story", 404),
            ("/admin/users/%2B15551234567/story", 404), ("\(story)/x", 404),
        ] {
            let answer = try await send("GET", path, admin.token)
            #expect(answer.status == status, "\(path): \(answer.status) \(answer.text)")
        }
        for (path, token, status) in [
            ("/admin/audit?from=1&to=2", anna.token, 403), (story, anna.token, 403), (story, "x", 401),
        ] {
            #expect(try await send("GET", path, token).status == status, "\(path)")
        }
    }

    @Test func `a system that follows the audits gets every record at least once`() async throws {
        func follow(_ cursor: String?) async throws -> (records: [String], cursor: String) {
            let after = cursor.map { " --after \($0)" } ?? ""
            let run = try await stack.control("audit follow --json --once" + after)
            try #require(run.isSuccess, "\(run.output)")
            let lines = run.output.split(separator: "\n").map(String.init)
            let last = try #require(lines.last { $0.hasPrefix(#"{"cursor":""#) })
            return (
                lines.filter { !$0.hasPrefix(#"{"cursor""#) },
                String(last.dropFirst(#"{"cursor":""#.count).prefix { $0 != "\"" })
            )
        }
        let anna = try await person()
        try await eventually("the codes' records are moved") {
            try await !stack.sql("users", "SELECT 1 FROM audit WHERE event = 'otp.sent' LIMIT 1").isEmpty
        }
        let first = try await follow(nil)
        #expect(first.records.contains { $0.contains("session.opened") && $0.contains(anna.id) })
        #expect(first.records.contains { $0.contains("otp.sent") && $0.contains(#""service":"user""#) })
        let betty = try await person()
        let second = try await follow(first.cursor)
        #expect(second.records.contains { $0.contains("session.opened") && $0.contains(betty.id) })
        #expect(Set(first.records).isDisjoint(with: second.records))
        let whole = try await follow(nil)
        #expect(Set(whole.records).isSuperset(of: first.records + second.records))
        #expect(try await !stack.control("audit follow --once --after nonsense").isSuccess)
    }

    @Test func `keys, spending and the trace of a number are read, and each reading is a record`() async throws {
        let (admin, anna) = (try await person(role: "admin"), try await person())
        let reason = "ticket \(Int.random(in: 1...1_000_000_000))"
        let to = anna.phone.replacing("+", with: "%2B")
        // Traces are written behind the response.
        try await eventually("the trace is written") {
            try await send("GET", "/admin/trace?to=\(to)", admin.token).text.contains(#""kind":"#)
        }
        for (path, part) in [
            ("/admin/keys", #""state":"signing""#), ("/admin/spend", #""rows":"#),
            ("/admin/spend?hours=48", #""rows":"#), ("/admin/trace?to=\(to)", #""kind":"#),
            ("/admin/trace?to=\(anna.phone)&hours=1", #""entries":"#),
        ] {
            let answer = try await send("GET", path, admin.token, headers: [("Latchkey-Reason", reason)])
            #expect(answer.status == 200 && answer.text.contains(part), "\(path): \(answer.status) \(answer.text)")
            #expect(try await send("GET", path, anna.token).status == 403, "\(path)")
            #expect(try await send("GET", path, nil).status == 401, "\(path)")
        }
        #expect(try await records(reason) == Array(repeating: "user.looked_up", count: 5))
        // The record of a trace is about the holder of the number.
        let about = try await stack.sql(
            "users",
            """
            SELECT count(*) FROM audit JOIN users ON subject = pseudonym JOIN identities ON user_id = users.id
            WHERE detail LIKE 'trace reason: \(reason)' AND value = '\(anna.phone)'
            """)
        #expect(about == ["2"])
        for path in [
            "/admin/trace", "/admin/trace?to=", "/admin/trace?to=x", "/admin/trace?to=%2B1",
            "/admin/trace?to=\(to)&hours=0", "/admin/trace?to=\(to)&hours=49", "/admin/trace?to=\(to)&hours=-1",
            "/admin/spend?hours=0",
            "/admin/spend?hours=49", "/admin/spend?hours=x", "/admin/trace?to=" + String(repeating: "9", count: 600),
        ] {
            let answer = try await send("GET", path, admin.token)
            #expect(answer.status == 400, "\(path): \(answer.status) \(answer.text)")
        }
    }
}
