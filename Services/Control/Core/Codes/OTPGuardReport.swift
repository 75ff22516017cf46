import ArgumentParser
import Foundation
import InternalAPI

/// `latchkeyctl otp guard-report`
struct OTPGuardReport: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "guard-report", abstract: "Shows what messages cost and how many of their codes were used.",
        discussion: """
            There is one row for each row of the policy's spend.prices to which something was sent. Many messages and few used \
            codes mean fraud, or messages that do not arrive (deploy/docs/run/budgets.md).
            """)

    @Option(help: "The number of hours, 1 to 48, with the current one.")
    var hours: Int64 = 24

    @Flag(help: "As JSON, amounts in ten-thousandths of the currency.")
    var json = false

    @OptionGroup var connection: CodeOperatorOptions

    func run() async throws {
        let report = try await connection.withConnection {
            try await $0.call(OTPOperations.guardReport, GuardReportRequest(hours: hours))
        }
        if json {
            print(try JSONOutput.text(report))
        } else {
            print(try Self.text(report))
        }
    }

    static func text(_ report: GuardReport) throws -> String {
        guard let mode = report.mode, let currency = report.currency else {
            throw CommandFailure(
                description: "there is no budget: the policy has no section spend, or messages go to the inbox")
        }
        let refused = mode == "enforce" ? "REFUSED" : "OVER BUDGET"
        let head = ["ROW", "SENT", "USED", "RATE", "SPENT", refused, "THIS HOUR", "OF", "TODAY", "OF"]
        return
            "\(mode), in \(currency); unrecognised clients may use \(report.strangersPercent ?? 100) % of each budget\n"
            + TextTable.text([head] + report.rows.map(cells))
    }

    private static func cells(_ row: GuardReport.Row) -> [String] {
        [
            row.row, "\(row.sends)", "\(row.approved)", row.sends > 0 ? "\(row.approved * 100 / row.sends) %" : "-",
            amount(row.spent), "\(row.refused)", amount(row.spentThisHour), row.hourBudget.map(amount) ?? "-",
            amount(row.spentToday), row.dayBudget.map(amount) ?? "-",
        ]
    }

    /// Returns whole units and four decimals.
    static func amount(_ tenThousandths: Int64) -> String {
        let decimals = String(tenThousandths % 10_000)
        return "\(tenThousandths / 10_000)." + String(repeating: "0", count: max(0, 4 - decimals.utf8.count)) + decimals
    }
}
