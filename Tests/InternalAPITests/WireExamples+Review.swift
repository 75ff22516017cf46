import InternalAPI

extension WireExamples {
    static func review() throws -> [WireText] {
        [
            try WireText(
                "OTP.openReview", OTPOperations.openReview,
                requests: [ReviewAccessRequest(phone: "+15551234567", until: 1_700_000_000)],
                answers: [ReviewAccess(codes: ["native": "123456"])]),
            try WireText(
                "OTP.endReview", OTPOperations.endReview, requests: [NumberRequest(phone: "+15551234567")],
                answers: [EndedReview(wasOpen: true), EndedReview(wasOpen: false)]),
            try WireText(
                "OTP.confirmReview", OTPOperations.confirmReview,
                requests: [ReviewProof(phone: "+15551234567", challengedAt: 1_700_000_000)],
                answers: [ReviewStanding(isOpen: true), ReviewStanding(isOpen: false)]),
            try WireText(
                "OTP.openReviews", OTPOperations.openReviews,
                answers: [ReviewList(rows: [.init(label: "+1…67", until: 1_700_000_000)])]),
            try WireText(
                "OTP.unlock", OTPOperations.unlock, requests: [NumberRequest(phone: "+15551234567")],
                answers: [UnlockedNumber(wasLocked: true)]),
            try WireText(
                "OTP.guardReport", OTPOperations.guardReport, requests: [GuardReportRequest(hours: 24)],
                answers: [
                    GuardReport(
                        mode: "enforce", currency: "USD", strangersPercent: 80,
                        rows: [
                            .init(
                                row: "total", sends: 4, approved: 3, spent: 3_000, refused: 1, spentThisHour: 750,
                                hourBudget: 200_000, spentToday: 3_000, dayBudget: nil)
                        ]),
                    GuardReport(),
                ]),
            try WireText(
                "OTP.trace", OTPOperations.trace, requests: [TraceRequest(to: "+15551234567", hours: 48)],
                answers: [
                    TraceAnswer(entries: [
                        .init(
                            at: 1_700_000_000, count: 2, kind: "refused", requestID: "r-1",
                            details: ["phone", "1700003600"])
                    ])
                ]),
        ]
    }
}
