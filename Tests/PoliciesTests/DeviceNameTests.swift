import Testing

@testable import Policies

@Suite struct DeviceNameTests {
    @Test(arguments: [
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)", "iPhone"),
        ("HowRU/1.0 (iPhone)", "iPhone"), ("Mozilla/5.0 (iPad; CPU OS 17_5 like Mac OS X)", "iPad"),
        ("Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko)", "Android (Pixel 8)"),
        ("Dalvik/2.1.0 (Linux; U; Android 14; SM-S921B Build/UP1A.231005.007)", "Android (SM-S921B)"),
        ("Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36", "Android"),
        ("Mozilla/5.0 (Android 14; Mobile; rv:126.0) Gecko/126.0", "Android"),
        ("Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36", "Android"),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15", "Mac"),
        ("Mozilla/5.0 (Windows NT 10.0; Win64; x64)", "Windows"), ("Mozilla/5.0 (X11; Linux x86_64)", "Linux"),
        ("Mozilla/5.0 (X11; CrOS x86_64 14541.0.0)", "Chromebook"), ("curl/8.5.0", "curl"),
        ("okhttp/4.12.0", "okhttp"), ("python-requests/2.31", "python-requests"), ("Android", "Android"),
    ])
    func `a User-Agent is told by its kind of device`(userAgent: String, name: String) {
        #expect(DeviceName.of(given: nil, userAgent: userAgent) == name)
    }

    @Test func `the name that the device gave itself goes first`() {
        #expect(DeviceName.of(given: "Betty’s phone", userAgent: "curl/8.5.0") == "Betty’s phone")
        #expect(DeviceName.of(given: " \u{0}\n", userAgent: "curl/8.5.0") == "curl")
    }

    @Test(arguments: [nil, "", " ", "\u{0}", "\u{202E}"])
    func `what says nothing is no name`(text: String?) {
        #expect(DeviceName.of(given: text, userAgent: text) == nil)
    }

    @Test func `control characters and marks of direction are left out, the rest is bounded`() {
        let given = "a\u{1B}[31m\r\nb\u{202E}c\u{2028}d\u{85}e\u{7F}"
        #expect(DeviceName.of(given: given, userAgent: nil) == "a[31mbcde")
        let long = DeviceName.of(given: String(repeating: "é", count: 10_000), userAgent: nil)
        #expect(long?.unicodeScalars.count == DeviceName.lengthMax)
        let model = "Android 14; " + String(repeating: "x", count: 10_000)
        let named = DeviceName.of(given: nil, userAgent: model)
        #expect(named?.hasPrefix("Android (xx") == true && (named?.count ?? 0) <= DeviceName.lengthMax)
    }

    @Test(arguments: [
        ("HowRU/1.0 (iPhone)", DeviceKind.apple), ("Mozilla/5.0 (iPad; CPU OS 17_5 like Mac OS X)", .apple),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)", .apple),
        ("Mozilla/5.0 (Linux; Android 14; Pixel 8)", .androidOrLinux),
        ("Mozilla/5.0 (X11; CrOS x86_64 14541.0.0)", .androidOrLinux),
        ("Mozilla/5.0 (Windows NT 10.0; Win64; x64)", .windows), ("okhttp/4.12.0", nil), ("", nil),
        (String(repeating: "x", count: 100_000) + "iPhone", nil),
    ])
    func `a User-Agent is of a kind of device`(userAgent: String, kind: DeviceKind?) {
        #expect(DeviceKind(userAgent: userAgent) == kind)
    }
}
