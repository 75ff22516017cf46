import InternalAPI
import ServiceHTTP

/// user-service's operations on users. Each row only translates.
struct UserRoutes: Sendable {
    let bearers: BearerAuthentication
    let resolve: ResolveAttestation
    let readProfile: ReadProfile
    let updateProfile: UpdateProfile
    let firstMetadata: FirstMetadata
    let deleteOwnAccount: DeleteOwnAccount
    let deleteByProof: DeleteByProof
    let reauthenticate: Reauthenticate
    let list: ListUsersAsAdmin
    let export: ExportUser
    let noteOtherDevice: NoteOtherDevice

    /// Adds all operations.
    func add(to routes: inout ServiceRoutes) {
        routes.serve(UserOperations.resolve) { request, call in
            try await resolve(request, requestID: call.requestID, logger: call.logger)
        }
        routes.serve(UserOperations.heldSignIn) { request, _ in .answer(try await resolve.held(request)) }
        routes.serve(UserOperations.readProfile, for: bearers) { caller, _, _ in try await readProfile(caller) }
        routes.serve(UserOperations.updateProfile, for: bearers) { caller, request, call in
            try await updateProfile(caller, request, requestID: call.requestID)
        }
        routes.serve(UserOperations.keepMetadata) { request, _ in
            try await firstMetadata.keep(request)
            return .answer(Done())
        }
        routes.serve(UserOperations.adoptMetadata, for: bearers) { caller, _, call in
            try await firstMetadata.adopt(caller, requestID: call.requestID)
        }
        routes.serve(UserOperations.deleteAccount, for: bearers) { caller, _, call in
            try await deleteOwnAccount(caller, accessToken: call.accessToken, requestID: call.requestID)
        }
        routes.serve(UserOperations.exportOwn, for: bearers) { caller, request, call in
            try await export(caller, request, accessToken: call.accessToken, requestID: call.requestID)
        }
        routes.serve(UserOperations.noteOtherDevice, for: bearers) { caller, _, call in
            try await noteOtherDevice(caller, requestID: call.requestID)
        }
        routes.serve(UserOperations.reauthenticate, for: bearers) { caller, request, call in
            try await reauthenticate(caller, request, requestID: call.requestID)
        }
        routes.serve(UserOperations.requestReauthenticationCode, for: bearers) { caller, request, call in
            try await reauthenticate.codes.request(caller, request, requestID: call.requestID)
        }
        routes.serve(UserOperations.deleteByProof) { request, call in
            .answer(try await deleteByProof(request, requestID: call.requestID))
        }
        routes.serve(UserOperations.listAsAdmin, for: bearers) { caller, request, call in
            try await list(caller, request, accessToken: call.accessToken, requestID: call.requestID)
        }
    }
}
