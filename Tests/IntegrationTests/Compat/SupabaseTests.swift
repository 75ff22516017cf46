import TestSupport
import Testing

extension Live {
    /// The dialect `supabase` with the published Python client, which starts a Latchkey of its own. In full by
    /// `deploy/compat supabase`.
    @Suite(.serialized, .timeLimit(.minutes(10))) struct SupabaseTests {
        @Test func `clients of Supabase Auth sign in unchanged, and what is not offered is refused with its codes`()
            async throws
        {
            let form = LongRun.isOn ? "" : "--short"
            try await ClientProgram("Tests/Compat/supabase/run '\(LatchkeyStack.binaries)' \(form)").show()
        }

        /// A check that cannot fail would show nothing.
        @Test(.enabled(if: LongRun.isOn))
        func `the statements notice wrong answers of a simulated server`() async throws {
            try await ClientProgram("Tests/Compat/supabase/run --simulated").show()
        }
    }
}
