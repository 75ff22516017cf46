import InternalAPI
import Testing

/// The addresses of an app to which links and sign-ins return a browser.
@Suite struct AppAddressTests {
    private static let list = ["https://app.test/in", "com.example.app:/in?x=1"]

    @Test(arguments: [
        "https://app.test/in", "https://app.test/in?sb_flow_id=aZ0-_", "com.example.app:/in?x=1&sb_flow_id=7",
        "https://app.test/in?sb_flow_id=",
    ])
    func `a listed address is kept with its flow`(asked: String) {
        #expect(AppAddress.listed(asked, among: Self.list) == asked)
    }

    @Test(arguments: [
        "https://app.test/in/", "https://APP.test/in", "https://app.test/in#", "https://app.test/in?x=1",
        "https://app.test@evil.test/in", "https://app.test:443/in", "https:\\\\app.test\\in", "//app.test/in",
        "https://app.test/in?sb_flow_id=a%0D%0Ab", "https://app.test/in?sb_flow_id=a\r\nb",
        "https://app.test/in?sb_flow_id=a&code=b", "https://app.test/in?sb_flow_id=a#b",
        "https://app.test/in?sb_flow_id=a?sb_flow_id=b", "https://app.test/in?\u{301}sb_flow_id=a",
        "https://app.test/in?sb_flow_id=\u{E9}", "https://app.test/in?sb_flow_id=" + String(repeating: "a", count: 65),
    ])
    func `every other address is replaced by the first`(asked: String) {
        #expect(AppAddress.listed(asked, among: Self.list) == Self.list[0])
    }

    @Test func `a parameter is added to the query`() {
        #expect(AppAddress.adding("code", "a.b", to: Self.list[0]) == "https://app.test/in?code=a.b")
        #expect(AppAddress.adding("code", "a.b", to: Self.list[1]) == "com.example.app:/in?x=1&code=a.b")
    }
}
