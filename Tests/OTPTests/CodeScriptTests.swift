import Policies
import RedisClient
import Testing

@testable import OTPCore

/// The scripts as they are sent: Redis keeps them by the digest of their text, and an operator sees that digest in its
/// logs. A change of any of them is meant, or it is found here.
@Suite struct CodeScriptTests {
    @Test func `each script is sent as agreed`() {
        let scripts = CodeScripts(OTPPolicy())
        #expect(scripts.request.digest == "dbd92faced69e9735408ec9bff32e8a7105ef0a0")
        #expect(scripts.verify.digest == "9e353dcd08c4892eda00657caed3917517ce71f0")
        #expect(scripts.settle.digest == "4ecc3338d5886233ccbe778da86b393a793f208a")
        #expect(scripts.failedSend.digest == "240d6c787fac60f244aae88f05e0ef0dd92e0aff")
        #expect(scripts.forgetNetworks.digest == "2e9678109f221c012cf94c9ee6d281198190516a")
        #expect(scripts.clearNumber.digest == "2e1e6108c1ef3166de80871f4d752bdc310fdc05")
        #expect(scripts.sweep.digest == "1e2f3fafc62f027b799497655a25532b9c3d37d3")
        #expect(scripts.charge.digest == "a0bf9d7f9a1a95c7a7ea63e612c88787cc24c1e1")
        #expect(scripts.readTrace.digest == "257936030c6c5e0ad85caf9fa72c26b74160c164")
        #expect(scripts.review.digest == "4fa6a43067982aab33ddc2208172319b178756f3")
        #expect(scripts.reviews.digest == "0e93ea89bf761af1652c45ef27bed9e0d4804fcf")
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
                  closed = false,
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
