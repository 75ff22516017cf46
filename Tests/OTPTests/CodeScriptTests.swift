import Policies
import RedisClient
import Testing

@testable import OTPCore

/// The scripts as they are sent: Redis keeps them by the digest of their text, and an operator sees that digest in its
/// logs. A change of any of them is meant, or it is found here.
@Suite struct CodeScriptTests {
    @Test func `each script is sent as agreed`() {
        let scripts = CodeScripts(OTPPolicy())
        #expect(scripts.request.digest == "9f6d56cf847d67d21002bf3bccc772728351ea8c")
        #expect(scripts.verify.digest == "7e9de74ea884390291927bd8ba4c55f185a182ff")
        #expect(scripts.settle.digest == "729405f6af2929a085f6ec479c6bbf90c0925f82")
        #expect(scripts.failedSend.digest == "c653e58c3e6dfd95b13f8b5557ed31069fdfb326")
        #expect(scripts.forgetNetworks.digest == "732201d5f94377fdbe89e180ab54459a09d94d83")
        #expect(scripts.clearNumber.digest == "e238325008f4378b88f2b3cb8a6bb1777d6abee6")
        #expect(scripts.sweep.digest == "7f9f108e2ad37706627cc1ad765c85fe0901b42e")
        #expect(scripts.charge.digest == "1989d1888faf0bb9dda7e9f4977e352bdc2f444d")
        #expect(scripts.readTrace.digest == "805ce461cd3ea854283261fa037016c9b081b881")
        #expect(scripts.review.digest == "2a05a4e7430a7d0615f27e1b718ac0e3b8ea231f")
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
