import InternalAPI
import ServiceHTTP

/// The operator's review accesses.
struct ReviewRoutes: Sendable {
    let manage: ManageReviews
    let note: NoteOperator

    func add(to routes: inout ServiceRoutes) {
        routes.serve(OTPOperations.openReview) { try await manage.open($0) }
        routes.answer(OTPOperations.endReview) { try await manage.end($0) }
        routes.answer(OTPOperations.confirmReview) { try await manage.confirm($0) }
        routes.serve(OTPOperations.openReviews) { _ in .answer(try await manage.list(noting: note)) }
    }
}
