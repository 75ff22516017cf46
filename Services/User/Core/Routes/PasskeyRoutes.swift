import InternalAPI
import ServiceHTTP

/// user-service's operations on passkeys. Each row only translates.
struct PasskeyRoutes: Sendable {
    /// The parts that need the policy's section; `nil` without it.
    struct Ceremonies: Sendable {
        let begin: BeginPasskey
        let prove: ProvePasskey
        let add: AddPasskey
    }

    let bearers: BearerAuthentication
    let ceremonies: Ceremonies?
    let list: OwnPasskeyList
    let manage: ManagePasskeys

    func add(to routes: inout ServiceRoutes) {
        let off = PasskeyOptionsAnswer(nil)
        routes.serve(PasskeyOperations.begin) { [ceremonies] request, _ in
            .answer(try ceremonies?.begin(request) ?? off)
        }
        routes.serve(PasskeyOperations.prove) { [ceremonies] request, call in
            .answer(try await ceremonies?.prove(request, requestID: call.requestID) ?? IdentityTokenAnswer(.off))
        }
        routes.serve(PasskeyOperations.beginOwn, for: bearers) { [ceremonies] user, request, call in
            try await ceremonies?.begin.register(request, Self.caller(user, call)) ?? .answer(off)
        }
        routes.serve(PasskeyOperations.beginStepUp, for: bearers) { [ceremonies] user, _, _ in
            try await ceremonies?.begin.stepUp(user) ?? .answer(off)
        }
        routes.serve(PasskeyOperations.addOwn, for: bearers) { [ceremonies] user, request, call in
            try await ceremonies?.add(request, Self.caller(user, call)) ?? .answer(AccountAnswer(.off))
        }
        routes.serve(PasskeyOperations.listOwn, for: bearers) { [list] user, _, _ in try await list.list(user) }
        routes.serve(PasskeyOperations.renameOwn, for: bearers) { [list] user, request, _ in
            try await list.rename(request, user)
        }
        routes.serve(PasskeyOperations.removeOwn, for: bearers) { [list] user, request, call in
            try await list.remove(request, Self.caller(user, call))
        }
        routes.serve(PasskeyOperations.list) { [manage] in try await manage.list($0, requestID: $1.requestID) }
        routes.serve(PasskeyOperations.remove) { [manage] in try await manage.remove($0, requestID: $1.requestID) }
    }

    private static func caller(_ user: SignedInUser, _ call: ServiceCall) -> ChangeOwnIdentities.Caller {
        ChangeOwnIdentities.Caller(user: user, accessToken: call.accessToken, requestID: call.requestID)
    }
}
