import CryptoPrimitives
import Foundation
import PhoneNumbers
import Policies
import Testing

@testable import BenchCore

struct SendersBenchTests {
    @Test func `a message for Twilio gives its code once, and its answer waits as long as was said`() throws {
        let hooks = try HookReceiver(random: SecureRandom.bytes(32))
        #expect(hooks.answer(message("To=%2B12025550123&Body=Your+HowRU+code+is+654321")).status == 201)
        hooks.setPause(milliseconds: 200)
        let late = hooks.answer(message("To=%2B12025550124&Body=Your+HowRU+code+is+654322"))
        #expect(late.afterMilliseconds == 200 && !late.body.isEmpty)
        #expect(hooks.takeCode(for: "+12025550123") == "654321" && hooks.takeCode(for: "+12025550124") == "654322")
        #expect(hooks.takeCode(for: "+12025550123") == nil && hooks.refusedCount == 0)
    }

    @Test(arguments: ["To=%2B12025550123&Body=hello", "Body=654321", "To=%zz", ""])
    func `what is no message with a code is refused and counted`(body: String) throws {
        let hooks = try HookReceiver(random: SecureRandom.bytes(32))
        #expect(hooks.answer(message(body)).status == 400 && hooks.refusedCount == 1)
    }

    @Test func `a message that another account sends is refused`() throws {
        let hooks = try HookReceiver(random: SecureRandom.bytes(32))
        let foreign = ServedRequest(
            path: HookReceiver.twilioPath, headers: ["authorization": "Basic QUM6eA=="],
            body: Array("To=%2B12025550123&Body=654321".utf8))
        #expect(hooks.answer(foreign).status == 400 && hooks.takeCode(for: "+12025550123") == nil)
    }

    @Test func `an answer that is held back comes later than one that is not`() async throws {
        let server = try await LoopbackServer.start {
            ServedAnswer(status: 200, body: $0.body, afterMilliseconds: $0.path == "/late" ? 200 : 0)
        }
        let connection = try await LoadConnection.open(port: server.port)
        let start = ContinuousClock.now
        #expect(try await connection.send(LoadRequest("POST", "/late", body: [0x61])).body == [0x61])
        #expect(ContinuousClock.now - start >= .milliseconds(200))
        #expect(try await connection.send(LoadRequest("POST", "/", body: [0x62])).body == [0x62])
        await connection.close()
        await server.stop()
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

    private func message(_ body: String) -> ServedRequest {
        let settings = HookReceiver.twilioSettings(port: 1)
        let pair = "\(settings["TWILIO_ACCOUNT_SID"] ?? ""):\(HookReceiver.twilioToken)"
        return ServedRequest(
            path: HookReceiver.twilioPath,
            headers: ["authorization": "Basic " + Data(pair.utf8).base64EncodedString()], body: Array(body.utf8))
    }
}
