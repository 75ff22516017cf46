import Policies
import RedisClient
import Testing

@testable import OTPCore

/// The functions as they are loaded: their names follow from their text, and a release calls them by those names. A change of
/// any of them is meant, or it is found here.
@Suite struct CodeScriptTests {
    @Test func `the library is loaded as agreed`() {
        #expect(CodeFunctions.library.name == "latchkey_otp_df2d3641f632b759")
    }

    @Test func `a function is the same for every policy, whose numbers come with each call`() {
        let (one, other) = (CodeScripts(OTPPolicy()), CodeScripts(.howru))
        #expect(one.request.name == other.request.name && one.request != other.request)
        #expect(one.request.library == CodeFunctions.library.name)
    }

    @Test func `the last argument holds the dialect's numbers`() {
        #expect(
            ScriptRules(policy: .howru, all: []).json == """
                {"lifetime":300,"approved":60,"tries":5,"challengeMemory":3900,"sends":[[3,3600]],\
                "attempts":[[5,3600]],"lockouts":[[5,3600,3600],[10,86400,86400]],"sendMemory":3600,\
                "attemptMemory":86400,"laneMemory":172800,"callMemory":120,"knownSeconds":7776000,"knownMax":7,"bucketValueBytesMax":64,\
                "spend":false,"closed":false}
                """)
    }

    @Test func `what is counted is remembered as long as any dialect needs it`() {
        var patient = OTPPolicy()
        patient.lifetimeSeconds = 86_400
        let json = ScriptRules(policy: .howru, all: [.howru, patient]).json
        #expect(json.contains("\"lifetime\":300,"))
        #expect(json.contains("\"challengeMemory\":\(86_400 + patient.recordOutlivesSeconds),"))
    }
}
