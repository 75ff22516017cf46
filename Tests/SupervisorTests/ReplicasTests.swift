import SupervisorCore
import Testing

@Suite struct ReplicasTests {
    @Test func `services that are not named run once`() throws {
        let replicas = try Replicas(parsing: "otp=2, token=3")
        #expect(replicas["otp"] == 2)
        #expect(replicas["token"] == 3)
        #expect(replicas["user"] == 1)
        #expect(try Replicas(parsing: "") == Replicas())
    }

    @Test(arguments: [
        "otp", "otp=", "otp=0", "otp=9", "otp=-1", "otp=two", "otp=2=3", "inbox=2", "otp=1,otp=2", "=2",
        "otp=99999999999999999999",
    ])
    func `what cannot be meant is refused by name`(text: String) {
        let failure = #expect(throws: StartFailure.self) { try Replicas(parsing: text) }
        #expect(failure?.description.contains("LATCHKEY_REPLICAS") == true)
    }
}
