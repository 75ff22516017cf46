import InternalAPI
import ServiceHTTP

/// The review accesses, for the operator or an administrator.
struct ReviewRoutes: Sendable {
    let manage: ManageReviews
    let note: NoteOperator

    func add(to routes: inout ServiceRoutes) {
        routes.serve(OTPOperations.openReview) { request in
            try await OperatorName.acting(request.administrator) { try await manage.open(request) }
        }
        routes.answer(OTPOperations.endReview) { request in
            try await OperatorName.acting(request.administrator) { try await manage.end(request) }
        }
        routes.answer(OTPOperations.openReviews) { request in
            try await OperatorName.acting(request.administrator) { try await manage.list(request, noting: note) }
        }
        routes.answer(OTPOperations.confirmReview) { try await manage.confirm($0) }
    }
}
