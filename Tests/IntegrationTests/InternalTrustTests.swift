import AuthAPI
import CallDeadlines
import CryptoPrimitives
import FoundationEssentials
import InternalAPI
import ServiceCalls
import ServiceKit
import StrictJSON
import TestSupport
import Testing

// Cited by Tests/Compat/statements.md for T63.

extension Live {
    /// Calls at the services' own ports: only our processes are heard, each with its own key (R-100).
    @Suite(.serialized, .timeLimit(.minutes(5)), .stack()) struct InternalTrustTests {
        let stack: LatchkeyStack

        init() throws { stack = try #require(RunningStack.current) }

        /// A service's door: who may call it, where, with what.
        struct Door: Sendable, CustomTestStringConvertible {
            let caller: Caller
            let service: String
            let path: String
            let body: String

            var testDescription: String { "\(service)\(path)" }
            var key: String { "assertion_\(caller.rawValue)_\(service)" }

            static let all = [
                Door(
                    caller: .gateway, service: "otp", path: OTPOperations.verify.path,
                    body:
                        #"{"phone":"+15550001111","code":"123456","purpose":"sign_in","address":"127.0.0.1","callID":"c"}"#
                ),
                Door(
                    caller: .gateway, service: "token", path: TokenOperations.issue.path,
                    body: #"{"grant":"g","dialect":"native"}"#),
                Door(
                    caller: .user, service: "token", path: TokenOperations.revokeUser.path,
                    body: #"{"userID":"usr_0","epoch":1,"reason":"deleted"}"#),
                Door(
                    caller: .gateway, service: "user", path: UserOperations.resolve.path, body: #"{"attestation":"a"}"#),
                Door(
                    caller: .otp, service: "inbox", path: InboxOperations.deliver.path,
                    body: #"{"channel":"sms","to":"+15550001111","text":"forged","id":"m"}"#),
            ]
        }

        private func header(
            _ door: Door, keys: KeyRing, method: String = "POST", path: String? = nil, authorization: String = "",
            body: String? = nil, now: Moment = .now()
        ) -> String {
            AssertionSigner(caller: door.caller, service: door.service, keys: keys).sign(
                AssertedRequest(
                    method: method, path: path ?? door.path, authorization: authorization,
                    body: Array((body ?? door.body).utf8)),
                wait: .seconds(30), now: now
            ).text
        }

        private func call(
            _ door: Door, assertion: String?, method: String = "POST", path: String? = nil, body: String? = nil
        ) async throws -> HTTPAnswer {
            try await stack.service(door.service).send(
                method, path ?? door.path,
                headers: [("Content-Type", "application/json")]
                    + (assertion.map { [(AssertionSigner.header, $0)] } ?? []), body: Array((body ?? door.body).utf8))
        }

        /// Lets the service know this process.
        private func introduce(_ door: Door) async throws {
            let answer = try await ServiceCaller(stack: stack, caller: door.caller)
                .send("GET", door.service, ClockCheck.path)
            #expect(answer.status == 204)
        }

        private func isRefused(_ answer: HTTPAnswer) throws -> Bool {
            guard answer.status == 401 else { return false }
            return try answer.json["code"]?.stringValue == CallerRefusal.assertionRefused.rawValue
        }

        @Test(arguments: Door.all) func `a call without a good assertion is 401`(door: Door) async throws {
            let keys = try stack.keyRing(door.key)
            let good = header(door, keys: keys)
            #expect(try await isRefused(call(door, assertion: nil)))
            for text in ["", "x", "v1;;;;;", good + "A", String(good.dropLast(2)), String(repeating: ";", count: 9000)]
            {
                let answer = try await call(door, assertion: text)
                #expect(
                    (400..<500).contains(answer.status) && answer.status != 404, "\(text.prefix(20)) → \(answer.status)"
                )
            }
        }

        @Test(arguments: Door.all) func `another pair's key is 401`(door: Door) async throws {
            for other in Set(Door.all.map(\.key)).subtracting([door.key]) {
                let answer = try await call(door, assertion: header(door, keys: try stack.keyRing(other)))
                #expect(try isRefused(answer), "\(other) → \(answer.status)")
            }
        }

        @Test(arguments: Door.all) func `a stale or early assertion is 401`(door: Door) async throws {
            let keys = try stack.keyRing(door.key)
            try await introduce(door)
            for shift: Int64 in [-31_000, 31_000, -86_400_000] {
                let now = Moment.now()
                for late in [
                    Moment(wall: now.wall + shift, ticks: now.ticks),
                    Moment(wall: now.wall, ticks: now.ticks - abs(shift) * 1_000_000),
                ] {
                    #expect(try await isRefused(call(door, assertion: header(door, keys: keys, now: late))))
                }
            }
            #expect(try await !isRefused(call(door, assertion: header(door, keys: keys))))
        }

        @Test(arguments: Door.all) func `an assertion is good once`(door: Door) async throws {
            try await introduce(door)
            let text = header(door, keys: try stack.keyRing(door.key))
            #expect(try await !isRefused(call(door, assertion: text)))
            #expect(try await isRefused(call(door, assertion: text)))
        }

        @Test(arguments: Door.all)
        func `an assertion covers method, path, query, Authorization and body`(door: Door) async throws {
            let keys = try stack.keyRing(door.key)
            try await introduce(door)
            let altered = String(door.body.map { $0 == "a" ? "b" : $0 })
            #expect(try await isRefused(call(door, assertion: header(door, keys: keys), body: altered)))
            #expect(try await isRefused(call(door, assertion: header(door, keys: keys), path: door.path + "?x=1")))
            #expect(try await isRefused(call(door, assertion: header(door, keys: keys, path: "/internal/elsewhere"))))
            #expect(try await isRefused(call(door, assertion: header(door, keys: keys, method: "DELETE"))))
            #expect(try await isRefused(call(door, assertion: header(door, keys: keys, authorization: "Bearer x"))))
            #expect(try await isRefused(call(door, assertion: header(door, keys: keys, body: door.body + " "))))
        }
    }
}
