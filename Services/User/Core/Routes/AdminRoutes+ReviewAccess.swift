import InternalAPI
import ServiceHTTP

extension AdminRoutes {
    /// Adds the operations on review access.
    func addReviewAccess(to routes: inout ServiceRoutes) {
        serve(AdminOperations.reviewAccess, &routes) { request, store, requestID in
            .answer(try await deployment.through(store).reviewAccess(request, requestID: requestID))
        }
        serve(AdminOperations.openReviewAccess, &routes, isChange: true) { request, store, requestID in
            try await deployment.through(store).openReviewAccess(request, requestID: requestID)
        }
        serveChange(AdminOperations.endReviewAccess, &routes) { request, store, requestID in
            // The request identifies a number, so it concerns no version of a user.
            var store = store
            store.versions = nil
            return .answer(
                try await deployment.through(store).endReviewAccess(
                    request, sessions: endSessions.through(store), requestID: requestID))
        }
    }
}
