import AuthAPI
import FoundationEssentials
import TestSupport
import Testing

/// Users that an administrator creates, through all processes.
extension Live.AdminAPITests {
    private func create(_ body: String, _ token: String, key: String? = nil) async throws -> HTTPAnswer {
        try await send(
            "POST", "/admin/users", token, body, headers: key.map { [("Idempotency-Key", $0)] } ?? [])
    }

    @Test func `a created user is read, signs in with the number, and is created once`() async throws {
        let (admin, phone) = (try await person(role: "admin"), LatchkeyStack.freshPhone())
        let (body, key) = (
            #"{"phoneNumber":"\#(phone)","name":"Ann","role":"editor"}"#, "k-\(Int.random(in: 1...Int.max))"
        )
        let first = try await create(body, admin.token, key: key)
        #expect(first.status == 201 && first.text.contains(#""role":"editor""#), "\(first.text)")
        let repeated = try await create(body, admin.token, key: key)
        #expect(repeated.status == 201 && repeated.text == first.text, "\(repeated.text)")
        for (key, token) in [("k-other", admin.token), (key, try await person(role: "admin").token)] {
            let taken = try await create(body, token, key: key)
            #expect(taken.status == 409 && taken.text.contains("identity_in_use"), "\(taken.status) \(taken.text)")
            #expect(!taken.text.contains(phone), "\(taken.text)")
        }
        let user = try await stack.signIn(phone: phone).user
        #expect(first.text.contains(user.id))
        let read = try await send("GET", "/admin/users/\(user.id)", admin.token)
        #expect(read.status == 200 && first.headers["etag"] != nil, "\(read.text)")
    }

    @Test func `of creations at once one makes the user`() async throws {
        let (admin, phone) = (try await person(role: "admin"), LatchkeyStack.freshPhone())
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<6 {
                group.addTask { try await create(#"{"phoneNumber":"\#(phone)"}"#, admin.token).status }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.sorted() == [201, 409, 409, 409, 409, 409])
    }

    @Test func `a creation of nonsense is refused, and creates no user`() async throws {
        let admin = try await person(role: "admin")
        let before = try await stack.sql("users", "SELECT count(*) FROM users")
        let phone = LatchkeyStack.freshPhone()
        for body in [
            "{}", "[]", "", "null", #"{"phoneNumber":15551234567}"#, #"{"phoneNumber":"+1"}"#, #"{"phoneNumber":null}"#,
            #"{"email":"betty@example.com"}"#, #"{"email":"betty","emailVerified":true}"#,
            #"{"email":"b@example.com","emailVerified":"yes"}"#,
            #"{"email":"b@example.com","emailVerified":false,"role":"admin"}"#,
            #"{"phoneNumber":"\#(phone)","role":"Admin "}"#, #"{"phoneNumber":"\#(phone)","role":""}"#,
            #"{"phoneNumber":"\#(phone)","name":"a\u0000b"}"#,
            #"{"phoneNumber":"\#(phone)","name":"\#(String(repeating: "a", count: 101))"}"#,
            #"{"phoneNumber":"\#(phone)","phoneNumber":"\#(phone)"}"#,
        ] {
            let answer = try await create(body, admin.token)
            #expect(answer.status == 400, "\(body): \(answer.status) \(answer.text)")
        }
        for body in ["{}", #"{"phoneNumber":"+1"}"#] {
            let answer = try await create(body, admin.token)
            #expect(answer.text.contains("The member 'phoneNumber' is not valid"), "\(body): \(answer.text)")
        }
        for key in ["", "a b", String(repeating: "k", count: 129)] {
            let answer = try await create(#"{"phoneNumber":"\#(phone)"}"#, admin.token, key: key)
            #expect(answer.status == 400, "\(key): \(answer.status) \(answer.text)")
        }
        #expect(try await stack.sql("users", "SELECT count(*) FROM users") == before)
    }

    @Test func `an invitation that is repeated with its key is the first one`() async throws {
        let (admin, to) = (try await person(role: "admin"), LatchkeyStack.freshPhone())
        let reason = "ticket \(Int.random(in: 1...1_000_000_000))"
        func invite(_ key: String) async throws -> HTTPAnswer {
            try await send(
                "POST", "/admin/invitations", admin.token, #"{"to":"\#(to)"}"#,
                headers: [("Idempotency-Key", key), ("Latchkey-Reason", reason)])
        }
        let (first, again) = (try await invite("k-1"), try await invite("k-1"))
        #expect(first.status == 200 && first.text == again.text, "\(first.text) \(again.text)")
        #expect(try await records(reason) == ["user.invited", "user.looked_up"])
        #expect(try await invite("k-2").status == 200)
        #expect(try await records(reason) == ["user.invited", "user.looked_up", "user.invited"])
    }

    @Test func `of two administrators who begin to replace a number, the second learns of the first`() async throws {
        let (one, two) = (try await person(role: "admin"), try await person(role: "admin"))
        let anna = try await person()
        let tag = try #require(try await send("GET", "/admin/users/\(anna.id)", one.token).headers["etag"])
        func replace(_ admin: Person) async throws -> HTTPAnswer {
            try await send(
                "POST", "/admin/users/\(anna.id)/replace-phone", admin.token,
                #"{"phoneNumber":"\#(LatchkeyStack.freshPhone())"}"#, headers: [("If-Match", tag)])
        }
        #expect(try await replace(one).status == 200)
        let second = try await replace(two)
        #expect(second.status == 412 && second.text.contains("precondition_failed"), "\(second.text)")
        let read = try await send("GET", "/admin/users/\(anna.id)", two.token)
        #expect(read.headers["etag"] != tag && read.text.contains(#""pending""#), "\(read.text)")
    }
}
