import InternalAPI
import OutgoingConnections
import Testing

@testable import ControlCore

/// Returns the line about codes that an operator reads.
@Suite struct CodeReportTests {
    private func line(_ kind: String, _ details: [String], count: Int64 = 1) -> String {
        OTPTrace.cells(
            TraceAnswer.Entry(at: 1_800_000_000, count: count, kind: kind, requestID: "r-1", details: details)
        ).joined(separator: " | ")
    }

    @Test func `each reason for which a code does not arrive is one line`() {
        let at = "2027-01-15T08:00:00Z"
        #expect(
            line("refused", ["phone", "1800003600"], count: 3)
                == "\(at) | refused by the limit phone until 2027-01-15T09:00:00Z (3 times) | request r-1")
        #expect(
            line("tried", ["sms", "twilio-messaging", "", "blocked_country 21408"])
                == "\(at) | sms by twilio-messaging: the account may not send to this country (21408) | request r-1")
        #expect(
            line("tried", ["sms", "twilio-messaging", "SM1", "sent"])
                == "\(at) | sms by twilio-messaging: accepted by the provider, message SM1 | request r-1")
        #expect(
            line("callback", ["SM1", "undelivered", "30003"])
                == "\(at) | the provider reports undelivered (30003), message SM1 | request r-1")
        #expect(
            line("tried", ["email", "smtp", "", "refused MAIL: 550 5.7.1 not you"])
                .contains("for an unknown reason (MAIL: 550 5.7.1 not you)"))
        #expect(line("guessed", ["wrong_code"]) == "\(at) | code not accepted: wrong_code | request r-1")
        #expect(line("undecided", ["timed_out"]).contains("it counts as wrong: no response from the provider in time"))
    }

    @Test func `a test that failed says what to do, and the provider's words`() {
        #expect(
            MessagesSendTest.report(
                TestMailAnswer(provider: "smtp", failure: "timed_out", detail: "no reply to EHLO"), of: "smtp"
            ).hasSuffix("\nthe connection ended with: no reply to EHLO"))
        let refused = TestMailAnswer(provider: "smtp", failure: "refused", detail: "MAIL: 550 5.7.1 not you")
        #expect(MessagesSendTest.report(refused, of: "smtp").hasSuffix("\nsmtp said: MAIL: 550 5.7.1 not you"))
        let twilio = TestMailAnswer(provider: "twilio-messaging", failure: "misconfigured", code: 21_606)
        #expect(MessagesSendTest.report(twilio, of: "twilio-messaging").hasSuffix("(the provider's error 21606)"))
    }

    @Test func `what a newer service says is shown as it is`() {
        #expect(line("moved", ["a", "b"]).contains("moved a b"))
        #expect(line("tried", ["sms"]).contains("sms by ?: ?"))
    }

    @Test func `every reason of a failure has words`() {
        let reasons =
            ConnectionFailure.allCases.map(\.rawValue) + [
                "server_error", "throttled", "refused", "undeliverable", "bad_answer", "bad_number", "no_text_messages",
                "no_route", "opted_out", "blocked_prefix", "barred",
                "blocked_country", "send_cap", "limited", "misconfigured", "channel_misconfigured", "not_on_channel",
            ]
        for reason in reasons { #expect(OTPTrace.outcome(reason) != reason, "\(reason)") }
    }

    @Test(arguments: ConnectionFailure.allCases)
    func `only a lost response may have been sent`(_ failure: ConnectionFailure) {
        let isLost = ["connection_closed", "timed_out"].contains(failure.rawValue)
        #expect(OTPTrace.outcome(failure.rawValue).contains("may have been sent") == isLost)
        let report = MessagesSendTest.report(
            TestMailAnswer(provider: "webhook", failure: failure.rawValue), of: "webhook")
        #expect(report.contains("may have been sent") == isLost && report.contains("\(failure.rawValue): "))
    }

    @Test func `money has four decimals, and a report one row for each that something was sent to`() throws {
        #expect(OTPGuardReport.amount(79) == "0.0079" && OTPGuardReport.amount(1_234_500) == "123.4500")
        let row = GuardReport.Row(
            row: "+44", sends: 200, approved: 3, spent: 90_000, refused: 7, spentThisHour: 900, hourBudget: 30_000,
            spentToday: 90_000, dayBudget: nil)
        let text = try OTPGuardReport.text(
            GuardReport(mode: "enforce", currency: "USD", strangersPercent: 80, rows: [row]))
        #expect(text.contains("enforce, in USD; unrecognised clients may use 80 %"))
        #expect(text.contains("+44") && text.contains("1 %") && text.contains("9.0000") && text.contains("REFUSED"))
        #expect(throws: CommandFailure.self) { try OTPGuardReport.text(GuardReport()) }
    }
}
