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
                "OTP.openReviews", OTPOperations.openReviews,
                answers: [ReviewList(rows: [.init(label: "+1…67", until: 1_700_000_000)])]),
        ]
    }
}
