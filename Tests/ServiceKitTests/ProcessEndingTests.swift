import Policies
import ServiceKit
import Testing

@Suite struct ProcessEndingTests {
    private struct DiskFull: Error {}

    @Test func `only what an operator has to mend forbids another start`() {
        #expect(ProcessEnding(SettingsError("LATCHKEY_LISTEN", "is not host:port")) == .wrongSettings)
        let fault = #expect(throws: PolicyError.self) { try Policy.parse("otp: [", file: "mine.yaml") }
        #expect(fault.map { ProcessEnding($0) } == .wrongSettings)
        #expect(ProcessEnding(DiskFull()) == .failure)
        #expect(ProcessEnding(CancellationError()) == .failure)
    }
}
