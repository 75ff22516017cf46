import InternalAPI
import Testing

@testable import TokenCore
@testable import TokenTables

/// Refreshes by another kind of device than the one that signed in, an iPhone.
@Suite struct OtherDeviceTests {
    @Test(arguments: [
        ("HowRU/2.0 (iPhone)", nil), ("okhttp/4.12.0", nil), (nil, nil),
        // An iPhone that asks for a desktop page.
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)", nil),
        ("Mozilla/5.0 (Linux; Android 14; Pixel 8)", true), ("Mozilla/5.0 (Windows NT 10.0; Win64; x64)", true),
    ])
    func `a refresh tells whether another kind of device sends it`(userAgent: String?, isOther: Bool?) async throws {
        let fixture = try TokenFixture(more: "anomalies: record")
        let replica = try await fixture.replica()
        let tokens = try await replica.signIn(fixture)
        let request = RefreshRequest(refreshToken: tokens.refreshToken, userAgent: userAgent)
        #expect(try await replica.parts.routes.rotate(request).tokens?.isOtherDevice == isOther)
    }

    @Test func `with anomalies off no refresh tells it`() async throws {
        let fixture = try TokenFixture()
        let replica = try await fixture.replica()
        let tokens = try await replica.signIn(fixture)
        let request = RefreshRequest(refreshToken: tokens.refreshToken, userAgent: "Mozilla/5.0 (Windows NT 10.0)")
        #expect(try await replica.parts.routes.rotate(request).tokens?.isOtherDevice == nil)
    }
}
