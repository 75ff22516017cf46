import CryptoPrimitives
import Delivery
import Foundation
import PhoneNumbers
import Policies
import ServiceCalls
import Synchronization
import TestSupport
import Testing

@testable import BenchCore

struct LoadTests {
    @Test func `every index has a number of its own, canonical as it is`() throws {
        let numbers = (0..<50_000).map(SignInNumbers.number)
        #expect(Set(numbers).count == numbers.count)
        for number in numbers.prefix(2000) { #expect(try PhoneNumber(parsing: number).e164 == number) }
        #expect(SignInNumbers.number(SignInNumbers.countMax - 1) == "+18999999999")
        #expect(!SignInNumbers.number(-1).contains("-"))
    }

    @Test func `a run does each piece once, and answers come back whole`() async throws {
        try await LoopbackServer.run {
            ServedAnswer(status: 200, body: $0.body)
        } _: { server in
            try await LoadConnection.with(3, port: server.port) { connections in
                let run = try await LoadRun.over(connections, 5..<105, within: .seconds(20)) { index, connection in
                    let answer = try await connection.send(LoadRequest("POST", "/", body: Array("\(index)".utf8)))
                    return String(decoding: answer.body, as: UTF8.self)
                }
                #expect(run.values.compactMap { Int($0) }.sorted() == Array(5..<105))
            }
        }
    }

    @Test func `the first piece that fails ends the run, and a server that is gone is a failure`() async throws {
        try await LoopbackServer.run { _ in
            ServedAnswer(status: 500)
        } _: { server in
            try await LoadConnection.with(2, port: server.port) { connections in
                _ = await #expect(throws: UnexpectedReply.self) {
                    _ = try await LoadRun.over(connections, 0..<1000, within: .seconds(20)) { _, connection in
                        try await connection.send(.get("/"), expecting: 200)
                    }
                }
            }
            await server.stop()
            await #expect(throws: (any Error).self) { try await LoadConnection.open(port: server.port) }
        }
    }

    @Test func `work ends with what it goes on beside, and takes turns at its pace`() async throws {
        let taken = Mutex(0)
        let start = ContinuousClock.now
        let (numbers, result, _) = try await during {
            try await eventually("two turns are taken") { taken.withLock { $0 >= 2 } }
            return "done"
        } _: { isOver in
            try await PacedLoad(perSecond: 100).run(over: [0, 1], from: 7, until: isOver) { number, _, _ in
                taken.withLock { $0 += 1 }
                return number
            }
        }
        // One turn each 10 ms at most, and one more of each lane.
        let turnsMax = Int((ContinuousClock.now - start) / .milliseconds(10)) + 2
        #expect(result == "done" && (2...turnsMax).contains(numbers.count))
        #expect(numbers.sorted() == Array(7..<7 + numbers.count))
        let count = try await PacedLoad(perSecond: 200, seconds: 0.1).run(over: [0]) { number, _, _ in number }.count
        #expect(count == 20)
    }

    @Test func `an answer that is held back comes later than one that is not`() async throws {
        try await LoopbackServer.run {
            ServedAnswer(status: 200, body: $0.body, afterMilliseconds: $0.path == "/late" ? 200 : 0)
        } _: { server in
            try await LoadConnection.with(1, port: server.port) { connections in
                let start = ContinuousClock.now
                let late = try await connections[0].send(LoadRequest("POST", "/late", body: [0x61]))
                #expect(late.body == [0x61] && ContinuousClock.now - start >= .milliseconds(200))
                let next = try await connections[0].send(LoadRequest("POST", "/", body: [0x62]))
                #expect(next.body == [0x62])
            }
        }
    }

    // MARK: - Messages

    @Test func `a genuine hook gives its code once`() throws {
        let hooks = try HookReceiver(random: SecureRandom.bytes(32))
        #expect(hooks.answer(try hook(signedWith: hooks.secret)) == ServedAnswer(status: 204))
        #expect(hooks.takeCode(for: "+12025550123") == "654321" && hooks.takeCode(for: "+12025550123") == nil)
        #expect(throws: Never.self) { try hooks.checkNoneRefused() }
    }

    @Test func `a hook that another secret signed, or that is malformed, is refused and counted`() throws {
        let hooks = try HookReceiver(random: SecureRandom.bytes(32))
        let other = try HookReceiver(random: SecureRandom.bytes(32))
        #expect(hooks.answer(try hook(signedWith: other.secret)).status == 400)
        #expect(hooks.answer(try hook(signedWith: hooks.secret, body: #"{"sms":{}}"#)).status == 400)
        #expect(hooks.answer(ServedRequest(path: "/sms", headers: [:], body: [])).status == 400)
        #expect(hooks.takeCode(for: "+12025550123") == nil && hooks.refusedCount == 3)
    }

    @Test func `a message for Twilio gives its code once, and its answer waits as long as was said`() throws {
        let hooks = try HookReceiver(random: SecureRandom.bytes(32))
        #expect(hooks.answer(message("To=%2B12025550123&Body=Your+HowRU+code+is+654321")).status == 201)
        hooks.setPause(milliseconds: 200)
        let late = hooks.answer(message("To=%2B12025550124&Body=Your+HowRU+code+is+654322"))
        #expect(late.afterMilliseconds == 200 && !late.body.isEmpty)
        #expect(hooks.takeCode(for: "+12025550123") == "654321" && hooks.takeCode(for: "+12025550124") == "654322")
        #expect(hooks.takeCode(for: "+12025550123") == nil && hooks.refusedCount == 0)
    }

    @Test(arguments: [
        ("To=%2B12025550123&Body=hello", nil), ("Body=654321", nil), ("To=%zz", nil), ("", nil),
        ("To=%2B12025550123&Body=654321", "QUM6eA=="),
    ])
    func `what is no message with a code, or comes from another account, is refused and counted`(
        body: String, credentials: String?
    ) throws {
        let hooks = try HookReceiver(random: SecureRandom.bytes(32))
        #expect(hooks.answer(message(body, from: credentials)).status == 400 && hooks.refusedCount == 1)
        #expect(throws: UnexpectedReply.self) { try hooks.checkNoneRefused() }
    }

    @Test func `the guard's policy has as many rows as there may be, and numbers that fall under each`() async throws {
        let policy = try await ScratchFolder.run("guard") { folder in
            try Policy.load(named: try GuardPolicy.write(in: folder), directory: Build.own.policies)
        }
        let spend = try #require(policy.spend)
        #expect(spend.mode == .enforce && spend.rows.count == GuardPolicy.rowCount)
        let rows = try (0..<700).map { try spend.row(for: PhoneNumber(parsing: SignInNumbers.number($0)))?.prefix }
        #expect(Set(rows).count == GuardPolicy.rowCount)
    }

    /// The short form of `deploy/bench imports`: what is counted has to be right, and on a busy machine nothing is timed.
    @Test(.timeLimit(.minutes(5))) func `users come in once, through a kill and a second run, while others sign in`()
        async throws
    {
        let bench = ImportBench(userCount: 3_000, signInsPerSecond: 20, connectionCount: 4, quietSeconds: 1)
        let figures = try await bench.run()
        #expect(figures.value("imports.missing") == 0 && figures.value("imports.maps.differ") == 0)
        #expect(figures.value("imports.others.count") > 10 && figures.value("imports.rate") > 0)
    }

    private func hook(
        signedWith secret: String, body: String = #"{"sms":{"otp":"654321","phone":"12025550123"}}"#
    ) throws -> ServedRequest {
        let signature = try WebhookSignature(secrets: secret)
        let header = signature.header(id: "message", timestamp: 1_700_000_000, body: Array(body.utf8))
        return ServedRequest(
            path: "/sms",
            headers: [
                "webhook-id": "message", "webhook-timestamp": "1700000000", "webhook-signature": header,
            ], body: Array(body.utf8))
    }

    private func message(_ body: String, from credentials: String? = nil) -> ServedRequest {
        let account = HookReceiver.settings(port: 1)["TWILIO_ACCOUNT_SID"] ?? ""
        let own = Data("\(account):\(HookReceiver.twilioToken)".utf8).base64EncodedString()
        return ServedRequest(
            path: HookReceiver.twilioPath, headers: ["authorization": "Basic \(credentials ?? own)"],
            body: Array(body.utf8))
    }
}
