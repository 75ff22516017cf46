import HTTPTypes
import ServiceCalls
import Testing

@testable import ConsoleCore

/// The pages as a browser gets them: what they show, and what they must never contain.
@Suite struct ConsolePageTests {
    static let pages = ["", "/find?q=a%40", "/person/usr_1", "/number?to=%2B15551234567", "/money", "/audit"]

    private func browser(name: String = "Ann", language: String = "en") throws -> ConsoleBrowser {
        var browser = ConsoleBrowser(FakeGateway { FakeGateway.usual($0, name: name) })
        browser.language = language
        try browser.signIn()
        return browser
    }

    @Test(arguments: pages)
    func `each page has its headers, at most 50 KB, and no script or style of its own`(_ path: String) async throws {
        let answer = try await browser().get(path)
        if answer.status == 303 {
            #expect(answer.location == "/console/person/usr_1")
            return
        }
        #expect(answer.status == 200 && answer.text.utf8.count < 50_000)
        for part in ["<script", "style=", "<style", "onclick", "http://", "https://"] {
            #expect(!answer.text.contains(part), "\(part) in \(path)")
        }
        let policy = answer.headers[.contentSecurityPolicy] ?? ""
        #expect(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"))
        #expect(!policy.contains("unsafe") && answer.headers[.cacheControl] == "no-store")
        #expect(answer.headers[.init("Referrer-Policy") ?? .accept] == "same-origin")
        #expect(answer.text.contains("<html lang=\"en\">") && answer.text.contains("name=\"viewport\""))
    }

    /// Every form that changes something contains the session's text; the gateway judges the origin of all of them.
    @Test(arguments: pages)
    func `each form is guarded, and each task is in at most three clicks`(_ path: String) async throws {
        let browser = try browser()
        let text = try await browser.get(path).text
        let forms = text.split(separator: "<form ").dropFirst().map { $0.prefix { $0 != ">" } + $0.drop { $0 != ">" } }
        for form in forms where form.contains("method=\"post\"") {
            #expect(form.contains("name=\"guard\" value=\"\(browser.guardText)\""), "\(form.prefix(80))")
            #expect(form.hasPrefix("method=\"post\" action=\"/console/"))
        }
        guard !text.isEmpty else { return }
        for link in ["/console\"", "/console/number\"", "/console/money\"", "/console/audit\"", "/console/find\""] {
            #expect(text.contains(link), "\(link) in \(path)")
        }
    }

    @Test(arguments: [
        "<script>alert(1)</script>", "\u{202E}evil", "&quot;'><img src=x>", String(repeating: "😀", count: 500),
        "\u{5D0}\u{5D1}\u{5D2}",
    ])
    func `names are texts, whatever they are`(_ name: String) async throws {
        let browser = try browser(name: name.replacing("\"", with: "\\\""))
        for path in ["/person/usr_1", "/audit", "/number?to=%2B15551234567"] {
            let answer = try await browser.get(path)
            #expect(answer.status == 200 && answer.text.utf8.count < 50_000)
            #expect(!answer.text.contains("<script") && !answer.text.contains("<img"))
        }
        let page = try await browser.get("/person/usr_1").text
        #expect(page.contains("<bdi>\(HTML("\(name)").text)</bdi>"))
    }

    @Test func `who has many sessions, or how many accounts are under review, makes no page large`() async throws {
        let sessions = (1...500).map { id in
            #"{"id":"\#(id)","deviceName":"\#(String(repeating: "x", count: 64))","createdAt":1,"lastUsedAt":2,"current":false}"#
        }
        let reviews = (1...500).map { #"{"userId":"\#(String(repeating: "u", count: 30))\#($0)","openedAt":1}"# }
        let lists = ["sessions": sessions.joined(separator: ","), "reviews": reviews.joined(separator: ",")]
        let gateway = FakeGateway { request in
            for (name, list) in lists where request.url.hasSuffix("/\(name)") {
                return FakeGateway.json(#"{"\#(name)":[\#(list)]}"#)
            }
            return FakeGateway.usual(request)
        }
        var browser = ConsoleBrowser(gateway)
        try browser.signIn()
        for path in ["/person/usr_1", "/number"] {
            let text = try await browser.get(path).text
            #expect(text.utf8.count < 50_000 && text.contains("end-session\"") == (path != "/number"), "\(path)")
        }
        #expect(try await browser.get("/person/usr_1").text.contains("all: 500"))
    }

    @Test func `pages speak the browser's language, English for all that they do not`() async throws {
        for (accepted, language, word) in [
            ("de-AT,en;q=0.5", "de", "Protokoll"), ("fr,de;q=0.2", "de", "Protokoll"), ("fr", "en", "Audit"),
            ("", "en", "Audit"),
        ] {
            let text = try await browser(language: accepted).get("/audit").text
            #expect(text.contains("lang=\"\(language)\"") && text.contains(">\(word)</a>"), "\(accepted)")
        }
    }

    @Test func `both languages have all texts, with the same values`() {
        for text in ConsoleText.allCases {
            let (english, german) = text.words
            #expect(text.rawValue.split(separator: " | ").count == 2 && !english.isEmpty && !german.isEmpty)
            #expect(
                english.split(separator: "{}", omittingEmptySubsequences: false).count
                    == german.split(separator: "{}", omittingEmptySubsequences: false).count, "\(text)")
        }
    }

    @Test func `a chart shows its counts as bars and in words, whatever they are`() {
        let words = Words(language: .english)
        let chart = { (counts: [Int64]) in
            Chart(title: "Sign-ins", counts: counts, from: 0, stepSeconds: 3600).html(words).text
        }
        let usual = chart([0, 5, 10])
        #expect(usual.contains("aria-label=\"Sign-ins: 15 in all, at most 10 in one step\""))
        #expect(
            usual.split(separator: "<rect").count == 4 && usual.contains("height=\"40\"")
                && usual.contains("height=\"80\""))
        #expect(usual.contains("1970-01-01 01:00 UTC: 5"))
        for counts in [[], [0], [-3, .min], [.max, .max, 1]] as [[Int64]] {
            let text = chart(counts)
            #expect(!text.contains("height=\"-") && text.contains("</svg>"), "\(counts)")
        }
        #expect(chart(Array(repeating: 7, count: 720)).utf8.count < 100_000)
    }

    @Test(
        arguments: [
            ("2026-01-31", "2026-01-31", 86_400), ("2026-01-31", "2026-02-01", 172_800), ("100", "200", 100),
        ] as [(String, String, Int64)])
    func `a period is days, or seconds`(_ from: String, _ to: String, _ seconds: Int64) throws {
        let period = try #require(Period(from: from, to: to))
        #expect(period.to - period.from == seconds)
    }

    @Test(arguments: [
        ("2026-02-30", "2026-03-01"), ("yesterday", "today"), ("200", "100"), ("", ""), ("-5", "5"),
        ("2026-01-02", "2026-01-01"), ("99999999999999999999", "1"),
    ])
    func `a period of nonsense is none`(_ from: String, _ to: String) { #expect(Period(from: from, to: to) == nil) }

    /// The bodies are those of the API, also of a later one with more members.
    @Test func `today says what is wrong, and draws what was counted`() async throws {
        let today = #"""
            {"at":1,"parts":[{"name":"token","state":"failing","problems":[{"code":"revocations_late","detail":"7 s"}]},
            {"name":"otp","state":"ok","problems":[]}],"circuits":[{"provider":"twilio","channel":"sms","state":"open"}],
            "revocationLagMilliseconds":40,"limits":[{"part":"gateway","rule":"auth","refused":12}],"keys":[{"kid":"k7","algorithm":"EdDSA","state":"signing"}],
            "lastBackupAt":1700000000,"more":1}
            """#
        let series = #"""
            {"from":1700000000,"stepSeconds":3600,"series":[{"name":"sign_ins","kind":"sms","counts":[1,2]},
            {"name":"sign_ins","kind":"apple","counts":[3,4]},
            {"name":"codes_sent","country":"DE","channel":"sms","counts":[5,6]}],"missing":["token"]}
            """#
        let policy = #"""
            {"name":"howru","hash":"abc","isShipped":true,"limits":[],
            "differences":[{"key":"admin.api","running":"true","shipped":"false","isSecret":false}]}
            """#
        let gateway = FakeGateway { request in
            for (path, body) in [("/today", today), ("/series", series), ("/policy", policy)]
            where request.url.contains("/admin" + path) { return FakeGateway.json(body) }
            return FakeGateway.usual(request)
        }
        var browser = ConsoleBrowser(gateway)
        try browser.signIn()
        let page = try await browser.get("")
        #expect(page.status == 200 && page.text.utf8.count < 50_000)
        for part in [
            "class=\"bad\">failing", "revocations_late: 7 s", "twilio sms: open", "k7 (EdDSA): signing",
            "gateway auth: 12", "40 ms",
            "2023-11-14 22:13 UTC", "Sign-ins: 10", ">DE<", "admin.api", "Not available now: token",
        ] { #expect(page.text.contains(part), "\(part)") }
        #expect(
            gateway.requests.contains { $0.url.hasSuffix("days=1") }
                && gateway.requests.contains { $0.url.hasSuffix("days=30") })
    }

    @Test func `today is small with every series and a policy of its own`() async throws {
        let names = ["sign_ins", "sign_ins_refused", "new_users", "codes_sent", "codes_used", "limited", "spend"]
        let counts = { (count: Int) in (1...count).map { "\(1_000_000 + $0)" }.joined(separator: ",") }
        let series = [1, 30].map { days in
            let all =
                names.map { #"{"name":"\#($0)","counts":[\#(counts(days == 1 ? 24 : 30))]}"# }
                + (1...40).map {
                    #"{"name":"codes_sent","country":"C\#($0)","channel":"whatsapp","counts":[\#(counts(24))]}"#
                }
            return #"{"from":1700000000,"stepSeconds":3600,"series":[\#(all.joined(separator: ","))],"missing":[]}"#
        }
        let text = String(repeating: "v", count: 1_000)
        let differences = (1...300).map { #"{"key":"section.key\#($0)","running":"\#(text)","shipped":"\#(text)"}"# }
        let policy = #"{"name":"mine","hash":"abc","differences":[\#(differences.joined(separator: ","))]}"#
        let gateway = FakeGateway { request in
            if request.url.contains("/series") { return FakeGateway.json(series[request.url.hasSuffix("=1") ? 0 : 1]) }
            return request.url.contains("/policy") ? FakeGateway.json(policy) : FakeGateway.usual(request)
        }
        var browser = ConsoleBrowser(gateway)
        try browser.signIn()
        let page = try await browser.get("").text
        #expect(page.utf8.count < 50_000 && page.contains("whatsapp") && page.contains("section.key30<"))
    }

    @Test func `amounts have two decimals`() {
        #expect([12_345, 0, 99, 1_000_000].map(MoneyPage.amount) == ["1.23", "0.00", "0.00", "100.00"])
    }
}
