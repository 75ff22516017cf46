import Policies
import RedisClient
import Testing

@testable import OTPCore

/// The scripts as they are sent: Redis keeps them by the digest of their text, and an operator sees that digest in its
/// logs. A change of any of them is meant, or it is found here.
@Suite struct CodeScriptTests {
    @Test func `each script is sent as agreed`() {
        let scripts = CodeScripts(OTPPolicy())
        #expect(scripts.request.digest == "f172f5f796229212b8985679280a22e4a58f5fd9")
        #expect(scripts.verify.digest == "5ef583002f475ca9631ee7b3ac7db9d626b99094")
        #expect(scripts.failedSend.digest == "73093717fbcd92e0ae6ebd078957407fdce9cfb6")
        #expect(scripts.forgetNetworks.digest == "a1a4dee0ad90418b21a295fe497db530b48984d2")
        #expect(scripts.sweep.digest == "2e792945e1a3ad1e856f74357a69aeb461b2ec1a")
        #expect(scripts.charge.digest == "8a7712e55e7e20b72e4545faf2a20e881a981208")
        #expect(scripts.readTrace.digest == "1b0cd0639401cfe8430dc56adbc83fe52cd26729")
        #expect(scripts.review.digest == "a8fe9d682eb99295531f89b5dad441a86a001a8f")
        #expect(scripts.reviews.digest == "c633177a188cb23f96e6c8c65b80b62f699149e2")
    }

    @Test func `a script begins with the dialect's numbers`() {
        #expect(
            ScriptRules(policy: .howru, all: []).lua == """
                local rules = {
                  lifetime = 300, approved = 60,
                  tries = 5, challengeMemory = 3900,
                  sends = { { 3, 3600 } },
                  attempts = { { 5, 3600 } },
                  lockouts = { { 5, 3600, 3600 }, { 10, 86400, 86400 } },
                  sendMemory = 3600,
                  attemptMemory = 86400, callMemory = 120,
                  knownSeconds = 7776000, knownMax = 7,
                  bucketValueBytesMax = 64, spend = false,
                }
                local audited = {
                  fields = {
                    time = 'at', event = 'event',
                    subject = 'subject', detail = 'detail',
                  },
                  entriesMax = 100000,
                  sent = 'otp.sent',
                  sendFailed = 'otp.send_failed',
                  approved = 'otp.approved',
                  wrongCode = 'otp.wrong_code',
                  locked = 'otp.locked',
                  reviewOpened = 'otp.review_opened',
                  reviewEnded = 'otp.review_ended',
                  reviewUsed = 'otp.review_used',
                  spend = 'otp.spend',
                  traced = 'otp.traced',
                  refused = 'otp.refused',
                }


                """)
    }

    @Test func `what is counted is remembered as long as any dialect needs it`() {
        var patient = OTPPolicy()
        patient.lifetimeSeconds = 86_400
        let lua = ScriptRules(policy: .howru, all: [.howru, patient]).lua
        #expect(lua.contains("lifetime = 300,"))
        #expect(lua.contains("challengeMemory = \(86_400 + patient.recordOutlivesSeconds),"))
    }
}
