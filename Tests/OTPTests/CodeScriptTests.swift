import Policies
import RedisClient
import Testing

@testable import OTPCore

/// The scripts as they are sent: Redis keeps them by the digest of their text, and an operator sees that digest in its
/// logs. A change of any of them is meant, or it is found here.
@Suite struct CodeScriptTests {
    @Test func `each script is sent as agreed`() {
        let scripts = CodeScripts(OTPPolicy())
        #expect(scripts.request.digest == "b944a8497197db9b18526aae29cdbcbe5efa2e23")
        #expect(scripts.verify.digest == "66766354e42a8a8619206cacaaef319ca369f513")
        #expect(scripts.failedSend.digest == "cef64dcbdded690c4c077e39f92310468ae6aabd")
        #expect(scripts.forgetNetworks.digest == "66962bdb462a3ef033f52cda4acb6759da401bb3")
        #expect(scripts.sweep.digest == "8142ad857e28a66fe7999d6f42e4ac6bf2c6e7a8")
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
                  bucketValueBytesMax = 64,
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
