import InternalAPI
import ServiceHTTP

/// user-service's operations on second factors. Each row only translates.
struct SecondFactorRoutes: Sendable {
    let bearers: BearerAuthentication
    let change: ChangeSecondFactor
    let prove: ProveSecondFactor
    let resets: SecondFactorResets

    /// Adds all operations.
    func add(to routes: inout ServiceRoutes) {
        routes.serve(SecondFactorOperations.state, for: bearers) { [change] user, _, _ in try await change.state(user) }
        routes.serve(SecondFactorOperations.enrol, for: bearers) { [change] user, _, call in
            try await change.enrol(Self.caller(user, call))
        }
        routes.serve(SecondFactorOperations.activate, for: bearers) { [change] user, request, call in
            try await change.activate(request, Self.caller(user, call))
        }
        routes.serve(SecondFactorOperations.remove, for: bearers) { [change] user, _, call in
            try await change.remove(Self.caller(user, call))
        }
        routes.serve(SecondFactorOperations.newRecoveryCodes, for: bearers) { [change] user, _, call in
            try await change.newRecoveryCodes(Self.caller(user, call))
        }
        routes.serve(SecondFactorOperations.require, for: bearers) { [change] user, request, call in
            try await change.require(request, Self.caller(user, call))
        }
        let objection = Objection(store: change.act.store, now: change.act.now)
        routes.serve(SecondFactorOperations.endReset, for: bearers) { user, _, call in
            try await objection(to: .secondFactor, user, requestID: call.requestID)
        }
        routes.serve(SecondFactorOperations.options) { [prove] request, _ in .answer(try await prove.options(request)) }
        routes.serve(SecondFactorOperations.prove) { [prove] request, call in
            .answer(try await prove(request, requestID: call.requestID))
        }
        routes.serve(SecondFactorOperations.reset) { [resets] request, call in
            try await resets(request, requestID: call.requestID)
        }
    }

    private static func caller(_ user: SignedInUser, _ call: ServiceCall) -> ChangeSecondFactor.Caller {
        ChangeSecondFactor.Caller(user: user, accessToken: call.accessToken, requestID: call.requestID)
    }
}
