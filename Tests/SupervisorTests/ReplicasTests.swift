import SupervisorCore
import Testing

@Suite struct ReplicasTests {
    @Test func `services that are not named run once`() throws {
        let replicas = try #require(Replicas(parsing: "otp=2, token=3"))
        #expect(replicas["otp"] == 2)
        #expect(replicas["token"] == 3)
        #expect(replicas["user"] == 1)
        #expect(Replicas(parsing: "") == Replicas())
    }

    @Test(arguments: [
        "otp", "otp=", "otp=0", "otp=9", "otp=-1", "otp=two", "otp=2=3", "inbox=2", "otp=1,otp=2", "=2",
        "otp=99999999999999999999",
    ])
    func `what cannot be meant is refused by name`(text: String) {
        #expect(Replicas(parsing: text) == nil)
        let failure = #expect(throws: StartFailure.self) {
            try SupervisorSettings(environment: ["LATCHKEY_REPLICAS": text], workingDirectory: "/")
        }
        #expect(failure?.description.hasPrefix("LATCHKEY_REPLICAS: \"\(text)\"") == true)
    }
}
