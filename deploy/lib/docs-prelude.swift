func show(_ what: Any?...) {}
func documented(pending: PendingCode, link: URL, identityToken: String, nonce: String) async throws {
    let auth = LatchkeyAuth(.init(baseURL: URL(string: "https://api.example.com")!))
    let profileURL = URL(string: "https://api.example.com/users/me")!
    var configuration = LatchkeyAuth.Configuration(baseURL: URL(string: "https://api.example.com")!)
    let clock = TestClock()
BODY
    _ = (auth, profileURL, configuration, clock)
}
