import Policies
import RedisClient
import Testing

@testable import OTPCore

/// The scripts as they are sent: Redis keeps them by the digest of their text, and an operator sees that digest in its
/// logs. A change of any of them is meant, or it is found here.
@Suite struct CodeScriptTests {
    @Test func `each script is sent as agreed`() {
        let scripts = CodeScripts(OTPPolicy())
        #expect(scripts.request.digest == "3f7d0c1d57032d7b0d077d5442900901cc82852e")
        #expect(scripts.verify.digest == "eb4bf6354c1dc0a64807a832f33c23e6be3d078e")
        #expect(scripts.failedSend.digest == "38e6fbef06c797f59f4e6834df8a024dc7112ae3")
        #expect(scripts.forgetNetworks.digest == "65e3a4f7b31112a344762e7c098f634105779e88")
        #expect(scripts.sweep.digest == "2db7e953d4724e52651de0af87295d843056fc18")
        #expect(scripts.review.digest == "352b2926c70312da35c6300d74be626ebf5bd64c")
        #expect(scripts.reviews.digest == "74d7642b1f5a3f32c335f5c373de09af1a715bd6")
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
                  reviewOpened = 'otp.review_opened',
                  reviewEnded = 'otp.review_ended',
                  reviewUsed = 'otp.review_used',
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
