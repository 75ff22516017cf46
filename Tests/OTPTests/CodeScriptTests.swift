import Policies
import RedisClient
import Testing

@testable import OTPCore

/// The scripts as they are sent: Redis keeps them by the digest of their text, and an operator sees that digest in its
/// logs. A change of any of them is meant, or it is found here.
@Suite struct CodeScriptTests {
    @Test func `each script is sent as agreed`() {
        let scripts = CodeScripts(OTPPolicy())
        #expect(scripts.request.digest == "7fb68d031fd67add18e174e87105961a828f4c34")
        #expect(scripts.verify.digest == "45f8a2ae04f8ba67b466d93285d1d72c87ffde11")
        #expect(scripts.failedSend.digest == "8646c2c4508d26557df678e21fe451061d822511")
        #expect(scripts.forgetNetworks.digest == "53e50354f16407e097c317bae0762bb11e2b0cd2")
        #expect(scripts.sweep.digest == "f4c87620022b16471c422bd4bd3b1b09adcb05a4")
        #expect(scripts.review.digest == "a76716055d8164a82ad00e39855645360e2f2405")
        #expect(scripts.reviews.digest == "ff1dbe82611ae78968639a48605074cd4e24f731")
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
