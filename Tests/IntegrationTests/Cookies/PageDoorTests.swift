import AuthAPI
import FoundationEssentials
import TestSupport
import Testing

extension Live {
    /// Sign-in with Apple, which latchkey-fakes play, sets a page's cookies.
    @Suite(
        .serialized, .timeLimit(.minutes(5)),
        .stack(
            changing: PagePolicy.refreshCookie.merging(WebSignInPolicy.changes) { $1 }, ["LATCHKEY_FAKES": "1"]))
    struct PageDoorTests {
        let stack: LatchkeyStack
        let fakes: FakeProviders

        init() throws {
            stack = try #require(RunningStack.current)
            fakes = try FakeProviders(of: stack)
        }

        private func isPages(_ answer: HTTPAnswer) throws {
            #expect(answer.status == 200 && answer.cookies.count == 2, "\(answer.text)")
            #expect(!answer.text.contains("rt_") && !answer.text.contains("refresh"))
        }

        @Test func `an identity token`() async throws {
            let page = PageClient(stack.gateway)
            let token = try await fakes.identityToken().identityToken
            try isPages(try await page.post("/auth/apple", #"{"identityToken":"\#(token)"}"#))
            #expect(try await page.refresh().status == 200)
        }
    }
}
