import Testing

@testable import GatewayCore

@Suite struct PathTemplateTests {
    @Test func `an open segment stands for one whole segment`() {
        let last = PathTemplate("/sessions/{id}")
        #expect(last.value(in: "/sessions/abc") == "abc" && !last.isPlain)
        for path in ["/sessions", "/sessions/", "/sessions/a/b", "/sessionsabc", "/", "/x/sessions/a", "/SESSIONS/a"] {
            #expect(last.value(in: path) == nil)
        }
        let middle = PathTemplate("/users/{id}/sessions")
        #expect(middle.value(in: "/users/u1/sessions") == "u1")
        for path in ["/users/sessions", "/users//sessions", "/users/u1/x/sessions", "/users/u1/sessions/"] {
            #expect(middle.value(in: path) == nil)
        }
    }

    @Test func `a plain path has no value`() {
        let plain = PathTemplate("/sessions")
        #expect(plain.isPlain && plain.value(in: "/sessions") == nil && plain.value(in: "/sessions/a") == nil)
    }
}
