import AuthAPI
import Foundation
import Glibc
import TestSupport
import Testing

extension Live {
    /// Attacks on passwords, with two replicas of user-service; `deploy/attack` runs them in full.
    @Suite(
        .serialized, .timeLimit(.minutes(60)),
        .stack([
            "LATCHKEY_POLICY": PasswordPolicyFile.open, "LATCHKEY_REPLICAS": "user=2", "LATCHKEY_LIMIT_LOCAL": "1",
        ])) struct PasswordAttackTests
    {
        let stack: LatchkeyStack

        init() throws { stack = try #require(RunningStack.current) }

        private func logIn(
            _ address: String, _ password: String, from client: String, through gateway: TestHTTPClient? = nil
        ) async throws -> HTTPAnswer {
            try await (gateway ?? stack.gateway).post(
                "/auth/login", encoding: LoginBody(email: address, password: password),
                headers: [("X-Forwarded-For", client)])
        }

        /// How many wrong passwords were looked at, and how many were turned away with a wait.
        private func guess(
            _ count: Int, at addresses: [String], lanes: Int, from client: @escaping @Sendable (Int) -> String
        ) async throws -> (hashed: Int, limited: Int, busy: Int) {
            let statuses = try await stack.gateway.withConnections(lanes) { gateway in
                try await inParallel(count, lanes: lanes) { number in
                    let answer = try await logIn(
                        addresses[number % addresses.count], "wrong password \(number)", from: client(number),
                        through: gateway)
                    if answer.status == 429 {
                        #expect((Int(answer.headers["retry-after"] ?? "") ?? 0) > 0)
                    }
                    return answer.status
                }
            }
            #expect(statuses.allSatisfy { [401, 429, 503].contains($0) }, "\(Set(statuses))")
            return (statuses.count { $0 == 401 }, statuses.count { $0 == 429 }, statuses.count { $0 == 503 })
        }

        @Test func `of wrong passwords from one network ten are looked at, however they are spelled and sent`()
            async throws
        {
            let user = try await stack.newPasswordUser()
            let (name, host) = (user.address.prefix { $0 != "@" }, "example.com")
            let spellings = (0..<25).map { number in
                let letters = name.enumerated().map { index, letter in
                    (number >> (index % 5)) & 1 == 1 ? letter.uppercased() : String(letter)
                }
                return letters.joined() + "@" + (number % 2 == 0 ? host : host.uppercased())
            }
            let count = LongRun.isOn ? 1_000 : 80
            let seen = try await guess(count, at: spellings, lanes: LongRun.isOn ? 200 : 40) {
                "198.51.100.\($0 % 250)"
            }
            #expect(seen.hashed <= 10, "\(seen)")
            #expect(seen.limited > 0)
            // From another network, which is the owner's: the login succeeds.
            #expect(try await logIn(user.address, user.password, from: "203.0.113.9").status == 200)
        }

        @Test func `of wrong passwords from many networks a hundred are looked at, and the owner gets in from his`()
            async throws
        {
            let user = try await stack.newPasswordUser()
            #expect(try await logIn(user.address, user.password, from: "203.0.113.77").status == 200)
            let count = LongRun.isOn ? 1_000 : 160
            let seen = try await guess(count, at: [user.address], lanes: LongRun.isOn ? 200 : 40) { number in
                "100.\(64 + number / 250).\(number % 250).7"
            }
            #expect(seen.hashed <= 100, "\(seen)")
            #expect(seen.hashed + seen.limited + seen.busy == count)
            #expect(try await logIn(user.address, user.password, from: "203.0.113.78").status == 200)
            LongRun.report("wrong passwords from many networks: \(seen)")
        }

        @Test
        func `restarts of user-service under a flood give no guess back, those of Redis its last second's at most`()
            async throws
        {
            // Both before anything is killed: mails wait for the lease of a worker that is gone.
            let users = [try await stack.newPasswordUser(), try await stack.newPasswordUser()]
            for (user, (victims, mayBeLost)) in zip(users, [(["user", "user-2"], 0), (["redis"], 10)]) {
                let network = "198.18.\(mayBeLost).7"
                let isOver = Flag()
                async let restarted: Void = restart(victims, LongRun.isOn ? 6 : 1, then: isOver)
                var (hashed, sent) = (0, 0)
                while !isOver.isSet {
                    hashed += try await guessAmidRestarts(user.address, from: network)
                    sent += Self.guessesAtOnce
                }
                try await restarted
                try await stack.untilReady()
                hashed += try await guessAmidRestarts(user.address, from: network)
                // Waits of half a minute and more let a guess through now and then, in a run that takes that long.
                let allowed = 10 + mayBeLost * (LongRun.isOn ? 6 : 1) + (LongRun.isOn ? 4 : 0)
                #expect(hashed <= allowed, "\(hashed) of \(sent) while \(victims) restarted")
                try await eventually("the owner gets in") {
                    try await logIn(user.address, user.password, from: "203.0.113.99").status == 200
                }
                LongRun.report("restarts of \(victims): \(hashed) of \(sent) wrong passwords hashed")
            }
        }

        private static let guessesAtOnce = 20

        private func restart(_ names: [String], _ count: Int, then isOver: Flag) async throws {
            defer { isOver.set() }
            for _ in 0..<count {
                for name in names { try await stack.restart(name, by: SIGKILL) }
            }
        }

        /// How many wrong passwords were looked at; what dies meanwhile answers with 503, or not at all.
        private func guessAmidRestarts(_ address: String, from network: String) async throws -> Int {
            try await inParallel(Self.guessesAtOnce, lanes: Self.guessesAtOnce) { number in
                try await logIn(address, "wrong password \(number)", from: network).status
            }.count { $0 == 401 }
        }

        @Test func `an address that nobody has counts like one that somebody has`() async throws {
            let seen = try await guess(30, at: [LatchkeyStack.freshAddress()], lanes: 10) { _ in "198.51.100.200" }
            #expect(seen.hashed <= 10 && seen.limited >= 20 - seen.busy, "\(seen)")
        }

        // MARK: - Bad input

        private static let bad: [(String, String)] = [
            ("/auth/register", #"{"email":["a@x.io"],"password":"long enough 1"}"#),
            ("/auth/register", #"{"email":"a@x.io, b@x.io","password":"long enough 1"}"#),
            ("/auth/register", #"{"email":"a@x.io","email":"b@x.io","password":"long enough 1"}"#),
            ("/auth/register", #"{"email":"a\r\nBcc: b@x.io","password":"long enough 1"}"#),
            ("/auth/register", #"{"email":"a@x.io","password":["long enough 1"]}"#),
            ("/auth/register", #"{"email":"a@x.io","password":"password"}"#),
            ("/auth/register", #"{"email":"a@x.io"}"#), ("/auth/login", "[]"), ("/auth/login", #"{"email":"a@x.io"}"#),
            ("/auth/login", #"{"email":{"$gt":""},"password":{"$gt":""}}"#),
            ("/auth/forgot-password", #"{"email":"a@x.io\u0000"}"#), ("/auth/forgot-password", "{}"),
            ("/auth/forgot-password", #"{"email":["a@x.io","b@x.io"]}"#),
            ("/auth/verify-email/resend", #"{"email":"a@x.io\nTo: b@x.io"}"#),
            ("/auth/verify-email", #"{"token":"x","password":"y"}"#), ("/auth/verify-email", #"{"token":"x"}"#),
            ("/auth/reset-password", #"{"token":"../../etc/passwd","password":"long enough 1"}"#),
        ]

        @Test(arguments: bad) func `what cannot be is 4xx, and sends nothing`(path: String, body: String) async throws {
            let before = try await stack.messages().count
            let answer = try await stack.gateway.post(path, body)
            #expect((400..<500).contains(answer.status), "\(path) \(body) → \(answer.status) \(answer.text)")
            #expect(try await stack.messages().count == before)
        }

        @Test func `a name of ten megabytes and a bomb of brackets are turned away`() async throws {
            let (processes, before) = (try stack.processIDs, try await stack.messages().count)
            func named(_ length: Int) -> String {
                #"{"email":"\#(LatchkeyStack.freshAddress())","password":"long enough 1","name":""#
                    + String(repeating: "a", count: length) + "\"}"
            }
            for body in [named(50_000), String(repeating: "[", count: 30_000)] {
                let answer = try await stack.gateway.post("/auth/register", body)
                #expect((400..<500).contains(answer.status), "\(answer.status) \(answer.text)")
            }
            #expect(try await isTurnedAway(named(10_000_000)))
            #expect(try stack.processIDs == processes)
            #expect(try await stack.messages().count == before)
        }

        /// The edge answers and hangs up while the body is still coming: a client may see the one or the other.
        private func isTurnedAway(_ body: String) async throws -> Bool {
            do { return (400..<500).contains(try await stack.gateway.post("/auth/register", body).status) } catch {
                return try await stack.gateway.get("/healthz").status < 500
            }
        }

        @Test(arguments: [
            "token=x&token=y&password=p", "token=x&password=p&role=admin", "token=x&password=%zz", "", "token=x",
            "password=p&token=" + String(repeating: "a", count: 5_000),
        ])
        func `a form with doubled or foreign fields is refused on a page`(_ body: String) async throws {
            for path in ["/auth/verify-email", "/auth/reset-password"] {
                let answer = try await stack.gateway.send(
                    "POST", path, headers: [("Content-Type", "application/x-www-form-urlencoded")],
                    body: Array(body.utf8))
                #expect((400..<500).contains(answer.status))
                #expect(answer.headers["content-type"]?.hasPrefix("text/html") == true, "\(answer.text)")
            }
        }
    }
}
