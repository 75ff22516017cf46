import AuthAPI
import FoundationEssentials
import TestSupport
import Testing

/// Review access by the API for administrators, through all processes.
extension Live.AdminAPITests {
    private struct Codes: Decodable {
        struct Code: Decodable {
            let dialect, code: String
        }

        let until: Int64
        let codes: [Code]
    }

    private struct Access: Decodable {
        struct Open: Decodable {
            let label: String
            let until: Int64
        }

        let until: Int64?
        let open: [Open]
    }

    private func access(of phone: String, _ token: String) async throws -> Access {
        let query = "?phoneNumber=" + phone.replacing("+", with: "%2B")
        let answer = try await send("GET", "/admin/review-access" + query, token)
        try #require(answer.status == 200, "\(answer.status) \(answer.text)")
        return try answer.decoded()
    }

    private func open(_ phone: String, until: Int64, _ token: String, reason: String = "t") async throws -> HTTPAnswer {
        try await send(
            "POST", "/admin/review-access", token, #"{"phoneNumber":"\#(phone)","until":\#(until)}"#,
            headers: [("Latchkey-Reason", reason)])
    }

    private func end(_ phone: String, _ token: String) async throws -> HTTPAnswer {
        try await send("POST", "/admin/review-access/end", token, #"{"phoneNumber":"\#(phone)"}"#)
    }

    private var tomorrow: Int64 { Int64(Date().timeIntervalSince1970) + 86_400 }

    @Test func `reviewers sign in by the code that an administrator gave, until it is ended`() async throws {
        let (admin, phone, until) = (try await person(role: "admin"), LatchkeyStack.freshPhone(), tomorrow)
        let reason = "ticket \(Int.random(in: 1...1_000_000_000))"
        #expect(try await access(of: phone, admin.token).until == nil)
        let opened = try await open(phone, until: until, admin.token, reason: reason)
        try #require(opened.status == 200, "\(opened.status) \(opened.text)")
        let codes: Codes = try opened.decoded()
        let code = try #require(codes.codes.first { $0.dialect == "native" }?.code)
        #expect(codes.until == until)
        let shown = try await access(of: phone, admin.token)
        #expect(shown.until == until && shown.open.contains { $0.until == until && !$0.label.contains(phone) })
        #expect(try await access(of: LatchkeyStack.freshPhone(), admin.token).until == nil)

        try await stack.requestCode(for: phone)
        let body = OTPVerifyBody(phoneNumber: phone, countryCode: "US", code: code)
        let signedIn = try await stack.gateway.post("/auth/otp/verify", encoding: body)
        try #require(signedIn.status == 200, "\(signedIn.text)")
        let reviewer: SignInReply = try signedIn.decoded()
        #expect(try await stack.messages(to: phone).isEmpty, "nothing is sent")
        #expect(try await send("GET", "/admin/users/\(reviewer.user.id)", admin.token).text.contains("isForReview"))

        let ended = try await end(phone, admin.token)
        #expect(ended.status == 200 && ended.text.contains(#""wasOpen":true"#), "\(ended.text)")
        #expect(ended.text.contains(#""endedCount":1"#), "\(ended.text)")
        try await eventually("the reviewers are signed out") {
            try await send("GET", "/users/me", reviewer.tokens.accessToken).status == 401
        }
        #expect(try await access(of: phone, admin.token).until == nil)
        #expect(try await end(phone, admin.token).text.contains(#""wasOpen":false"#))
        #expect(try await stack.gateway.post("/auth/otp/verify", encoding: body).status == 401)

        #expect(try await records(reason) == ["user.looked_up"])
        // The records of codes get into the database a moment later.
        try await eventually("the opening and the end have the administrator") {
            try await Set(
                stack.sql(
                    "users",
                    """
                    SELECT DISTINCT event FROM audit WHERE event IN ('otp.review_opened', 'otp.review_ended')
                    AND detail LIKE '%administrator:%'
                    """)) == ["otp.review_opened", "otp.review_ended"]
        }
    }

    @Test func `review access is given for nobody's account, no longer than the limit, and by administrators`()
        async throws
    {
        let (admin, anna) = (try await person(role: "admin"), try await person())
        let taken = try await open(anna.phone, until: tomorrow, admin.token)
        #expect(taken.status == 409 && taken.text.contains("identity_in_use"), "\(taken.text)")
        let free = LatchkeyStack.freshPhone()
        for (phone, until, status) in [
            (free, 0, 400), (free, tomorrow + 40 * 86_400, 400), (free, .max, 400), (free, -1, 400),
            ("ann@example.com", tomorrow, 400), ("", tomorrow, 400),
        ] as [(String, Int64, Int)] {
            let answer = try await open(phone, until: until, admin.token)
            #expect(answer.status == status, "\(phone) \(until): \(answer.status) \(answer.text)")
        }
        for body in ["{}", #"{"phoneNumber":"\#(free)"}"#, #"{"phoneNumber":"\#(free)","until":"2099-01-01"}"#] {
            #expect(try await send("POST", "/admin/review-access", admin.token, body).status == 400, "\(body)")
        }
        #expect(try await open(free, until: tomorrow, anna.token).status == 403)
        #expect(try await end(free, anna.token).status == 403)
        #expect(try await send("GET", "/admin/review-access", anna.token).status == 403)
        #expect(try await access(of: free, admin.token).until == nil)
    }

    @Test func `five numbers have review access at once`() async throws {
        let admin = try await person(role: "admin")
        var (phones, refused): ([String], HTTPAnswer?) = ([], nil)
        while refused == nil, phones.count < 10 {
            let phone = LatchkeyStack.freshPhone()
            let answer = try await open(phone, until: tomorrow, admin.token)
            if answer.status == 200 { phones.append(phone) } else { refused = answer }
        }
        #expect(phones.count <= 5 && refused?.status == 409, "\(refused?.text ?? "-")")
        #expect(refused?.text.contains("review_accesses_open") == true)
        for phone in phones { #expect(try await end(phone, admin.token).status == 200) }
    }
}
