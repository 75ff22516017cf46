import InternalAPI
import ServiceHTTP

/// The operator's review accesses.
struct ReviewRoutes: Sendable {
    let manage: ManageReviews
    let note: NoteOperator

    func add(to routes: inout ServiceRoutes) {
        routes.serve(OTPOperations.openReview) { request in
            switch try await manage.open(request) {
            case .opened(let access): .answer(access)
            case .refused(let refusal): .refused(refusal, title: Self.title(refusal))
            }
        }
        routes.answer(OTPOperations.endReview) { try await manage.end($0) }
        routes.answer(OTPOperations.confirmReview) { try await manage.confirm($0) }
        routes.serve(OTPOperations.openReviews) { _ in .answer(try await manage.list(noting: note)) }
    }

    private static func title(_ refusal: ReviewRefusal) -> String {
        switch refusal {
        case .invalidRequest: "This is no number with its calling code"
        case .noCodes: "The policy sends no codes to phones (otp: none)"
        case .invalidEnd: "The end lies in the past, or more than \(ManageReviews.secondsMax / 86_400) days away"
        case .blockedCountry: "The policy's countries do not hold this number"
        case .tooMany: "\(ReviewChange.openMax) are open; one of them has to end first"
        }
    }
}
