import Release
import Storage
import Testing

/// Which databases a release can use.
@Suite struct SchemaStateTests {
    private static let steps = [Migration("one", ""), Migration("two", "", needsRelease: "0.6.0")]

    private func problem(
        _ needs: [String: String], by made: String = "0.6.0", release: String = "0.10.0", oldest: String = "0.6.0"
    ) -> String? {
        let steps = needs.mapValues { SchemaState.Step(release: made, needsRelease: $0) }
        return SchemaState(steps: steps, hasTables: !steps.isEmpty)
            .problem(for: Self.steps, release: release, oldest: oldest)?.description
    }

    @Test func `a schema with all steps can be used, also one with more that this release tolerates`() {
        #expect(problem(["one": "", "two": "0.6.0"]) == nil)
        #expect(problem(["one": "", "two": "0.6.0", "three": ""], by: "0.11.0") == nil)
        #expect(problem(["one": "", "two": "0.6.0", "three": "0.10.0"]) == nil)
        #expect(problem(["one": "", "two": "0.6.0", "three": "0.9.1"]) == nil)
        #expect(problem(["one": "", "two": "0.10.0-beta.2"]) == nil)
    }

    @Test func `an older schema names the command, and a newer one the release`() {
        #expect(problem([:])?.contains("does not exist") == true)
        #expect(
            problem(["one": ""]) == "lacks the step \"two\". Run latchkeyctl database migrate of release 0.10.0")
        let newer = problem(["one": "", "two": "0.6.0", "three": "0.11.0", "four": "1.2.0"])
        #expect(newer?.hasSuffix("Run Latchkey 1.2.0 or newer") == true)
        let final = problem(["one": "", "two": "1.0.0"], release: "1.0.0-beta.10")
        #expect(final?.hasSuffix("Run Latchkey 1.0.0 or newer") == true)
    }

    @Test func `a schema without the first step is too old, newer, or was never released`() {
        #expect(problem(["zero": ""], by: "0.5.2")?.hasSuffix("Run Latchkey 0.6.0 first") == true)
        #expect(problem(["zero": ""], by: "0.11.0")?.hasSuffix("Run Latchkey 0.11.0 or newer") == true)
        for made in ["", "0.6.0", "0.10.0"] { #expect(problem(["zero": ""], by: made) == FirstStep.refusal) }
    }

    @Test func `releases are ordered as they follow each other`() {
        let order = [
            "0.9.9", "0.10.0", "1.0.0-alpha.9", "1.0.0-beta.2", "1.0.0-beta.10", "1.0.0-rc.1", "1.0.0", "1.0.1",
        ]
        for (place, older) in order.enumerated() {
            for (other, newer) in order.enumerated() {
                #expect((ReleaseNumber(older) < ReleaseNumber(newer)) == (place < other), "\(older), \(newer)")
            }
        }
    }
}
