import InternalAPI
import Testing

@testable import GatewayCore

/// The key that stands for a request whose client sends none.
@Suite struct SupabaseRequestKeyTests {
    private static let parts = SupabaseRequestKey.Parts(
        path: "/auth/v1/otp", query: "redirect_to=x", body: Array(#"{"phone":"+1"}"#.utf8), bearer: Array("anon".utf8),
        userAgent: "agent/1", network: "192.0.2.1/32")

    private func key(
        _ change: (inout SupabaseRequestKey.Parts) -> Void = { _ in },
        _ repeats: SupabaseRequestKey.Repeats = .messages,
        at now: Int64 = 100
    ) -> String? {
        var parts = Self.parts
        change(&parts)
        return SupabaseRequestKey.of(parts, repeats, now: now)?.text
    }

    @Test func `the same bytes from the same client have one key`() {
        #expect(key() != nil && key() == key(at: 109))
    }

    @Test func `every part of a request counts`() {
        let changed = [
            key { $0.path = "/auth/v1/otp2" }, key { $0.query = nil }, key { $0.query = "redirect_to=y" },
            key { $0.body.append(0x20) }, key { $0.bearer = [] }, key { $0.userAgent = "agent/2" },
            key { $0.userAgent = nil }, key { $0.network = "192.0.2.2/32" },
        ]
        #expect(Set(changed + [key()]).count == changed.count + 1 && !changed.contains(nil))
    }

    @Test func `bytes that move from one part to the next make another request`() {
        let moved = key {
            $0.path += "?"
            $0.query = "edirect_to=x"
        }
        let joined = key {
            $0.path += "r"
            $0.query = "edirect_to=x"
        }
        #expect(Set([key(), moved, joined]).count == 3)
    }

    @Test
    func
        `a message can be asked for again after ten seconds, and a sign-in is repeated for as long as services know it`()
    {
        #expect(key(at: 100) != key(at: 110))
        #expect(key({ _ in }, .signIns, at: 100) == key({ _ in }, .signIns, at: 159))
        #expect(key({ _ in }, .signIns) != key())
    }
}
