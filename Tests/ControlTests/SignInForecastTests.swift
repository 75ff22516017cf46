import FoundationEssentials
import Policies
import Testing

@testable import ControlCore

/// The times of a move, against counting window by window.
@Suite struct SignInForecastTests {
    private let variables = [
        "LATCHKEY_POLICIES_DIR": #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined()
            + "/deploy/policies"
    ]

    @Test func `200,000 users of one country take 25 hours with the default limits`() throws {
        let forecast = SignInForecast(
            of: try PolicyCheck.policy("howru", variables: variables), users: 200_000)
        let slowest = try #require(forecast.rows.first)
        #expect(slowest.key == "otp.sendsPerCountry" && slowest.most == 8_000 && slowest.seconds == 25 * 3_600)
        #expect(slowest.advice == "within an hour: max 250000 in 1 h")
        #expect(forecast.rows.contains { $0.key == "otp.sendsInTotal" && $0.seconds == 13 * 3_600 })
        #expect(
            forecast.text.contains("all within 25 h") && forecast.text.contains("otp.sendsPerPrefix: 20 users in 1 h"))
    }

    @Test(arguments: [1, 7_999, 8_000, 8_001, 16_000, 1_000_000_000])
    func `the number of windows is what counting gives`(users: Int64) throws {
        let forecast = SignInForecast(of: try PolicyCheck.policy("howru", variables: variables), users: users)
        for row in forecast.rows {
            var (left, windows) = (users, Int64(0))
            if users > 1_000_000 { (left, windows) = (users % row.most, users / row.most) }
            while left > 0 { (left, windows) = (left - row.most, windows + 1) }
            #expect(row.seconds == windows * row.windowSeconds, "\(row.key)")
        }
    }

    /// The budget of the page for a server: 20 dollars an hour, of which unrecognised clients may use 80 %.
    @Test(arguments: [("", true), ("  mode: observe\n", false)])
    func `the budget counts with the dearest price, if it is enforced`(mode: String, counts: Bool) throws {
        let starter = try String(
            contentsOfFile: (variables["LATCHKEY_POLICIES_DIR"] ?? "") + "/starter.yaml", encoding: .utf8)
        let spend = """

            spend:
              currency: USD
              budget: { hour: 200000, day: 1000000 }
              prices: [{ prefix: default, sms: 100 }, { prefix: "+44", sms: 450, hour: 100000 }]
            \(mode)
            """
        let policy = try Policy.parse(starter + spend, file: "mine.yaml")
        let rows = SignInForecast(of: policy, users: 1_000).rows.filter { $0.key.hasPrefix("spend.") }
        #expect(rows.isEmpty == !counts)
        guard counts else { return }
        #expect(rows.map(\.key) == ["spend.budget.day, +44", "spend.budget.hour, +44"])
        #expect(rows.map(\.most) == [1_777, 177] && rows.map(\.seconds) == [86_400, 6 * 3_600])
    }

    @Test(arguments: [(59, "59 s"), (60, "1 min"), (3_600, "1 h"), (3_601, "2 h"), (90_000, "25 h"), (172_801, "3 d")])
    func `spans are rounded up`(seconds: Int64, text: String) {
        #expect(TimeText.span(seconds) == text)
    }
}
