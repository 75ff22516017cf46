import InternalAPI
import Logging
import ServiceHTTP

/// user-service's operations on identities that others' tokens prove. Each row only translates.
struct IdentityRoutes: Sendable {
    let prove: ProveIdentityToken
    let provePhone: ProvePhoneToken
    let previous: PreviousSessions
    let noteApple: NoteAppleEvent
    let begin: BeginWebSignIn
    let finish: FinishWebSignIn
    let redeem: RedeemSignInCode
    let bearers: BearerAuthentication
    let own: ChangeOwnIdentities
    let mergeProofs: MergeProofs
    let verifyOwn: VerifyOwnCode

    init(
        prove: ProveIdentityToken, provePhone: ProvePhoneToken, previous: PreviousSessions, noteApple: NoteAppleEvent,
        web: WebSignIn, bearers: BearerAuthentication, own: ChangeOwnIdentities, mergeProofs: MergeProofs
    ) {
        self.previous = previous
        (self.prove, self.provePhone, self.noteApple) = (prove, provePhone, noteApple)
        (self.bearers, self.own, self.mergeProofs) = (bearers, own, mergeProofs)
        let reauthenticate = mergeProofs.reauthenticate
        verifyOwn = VerifyOwnCode(own: own, lock: reauthenticate.lock, otpService: reauthenticate.codes.otpService)
        begin = BeginWebSignIn(web: web, now: prove.now)
        finish = FinishWebSignIn(web: web, prove: prove)
        redeem = RedeemSignInCode(web: web, prove: prove)
    }

    func add(to routes: inout ServiceRoutes) {
        routes.serve(IdentityOperations.prove) { [prove] request, call in
            .answer(try await prove(request, requestID: call.requestID))
        }
        routes.serve(IdentityOperations.provePhone) { [provePhone] request, call in
            .answer(try await provePhone(request, requestID: call.requestID))
        }
        routes.serve(IdentityOperations.provePrevious) { [previous] request, _ in
            .answer(try await previous.prove(request))
        }
        routes.serve(IdentityOperations.endPrevious) { [previous] request, _ in
            await previous.end(request)
            return .answer(Done())
        }
        routes.serve(IdentityOperations.noteApple) { [noteApple] request, call in
            .answer(try await noteApple(request, requestID: call.requestID))
        }
        routes.serve(IdentityOperations.begin) { [begin] request, _ in .answer(try begin(request)) }
        routes.serve(IdentityOperations.finish) { [finish] request, call in
            .answer(try await finish(request, requestID: call.requestID, logger: call.logger))
        }
        routes.serve(IdentityOperations.redeem) { [redeem] request, _ in .answer(try await redeem(request)) }
        addOwn(to: &routes)
        addObjections(to: &routes)
    }

    private func addOwn(to routes: inout ServiceRoutes) {
        routes.serve(IdentityOperations.listOwn, for: bearers) { [own] caller, _, _ in try await own.list(caller) }
        routes.serve(IdentityOperations.permitOwn, for: bearers) { [own] user, _, call in
            try await own.permit(Self.caller(user, call))
        }
        routes.serve(IdentityOperations.beginOwn, for: bearers) { [begin] user, request, _ in
            .answer(try begin(request.start, of: FlowOwner(request.purpose, user)))
        }
        routes.serve(IdentityOperations.redeemOwn, for: bearers) { [redeem] user, request, _ in
            .answer(try await redeem(request, of: FlowOwner(.identity, user)))
        }
        routes.serve(IdentityOperations.verifyOwn, for: bearers) { [verifyOwn] user, request, call in
            try await verifyOwn(request, by: OTPOperations.verify, Self.caller(user, call))
        }
        routes.serve(IdentityOperations.verifyOwnMail, for: bearers) { [verifyOwn] user, request, call in
            try await verifyOwn(request, by: OTPOperations.verifyMail, Self.caller(user, call))
        }
        routes.serve(IdentityOperations.addOwn, for: bearers) { [own] user, request, call in
            try await own.add(request, Self.caller(user, call))
        }
        routes.serve(IdentityOperations.mergeOwn, for: bearers) { [own, mergeProofs] user, request, call in
            try await own.merge(request, Self.caller(user, call), mergeProofs)
        }
        routes.serve(IdentityOperations.requestMergeCode, for: bearers) { [own, mergeProofs] user, request, call in
            try await own.requestMergeCode(request, Self.caller(user, call), mergeProofs)
        }
        routes.serve(IdentityOperations.removeOwn, for: bearers) { [own] user, request, call in
            try await own.remove(request, Self.caller(user, call))
        }
        routes.serve(IdentityOperations.setPassword, for: bearers) { [own] user, request, call in
            try await own.setPassword(request, Self.caller(user, call))
        }
        routes.serve(IdentityOperations.removePassword, for: bearers) { [own] user, request, call in
            try await own.removePassword(request, Self.caller(user, call))
        }
    }

    private func addObjections(to routes: inout ServiceRoutes) {
        let objection = Objection(store: own.act.store, now: own.act.now)
        routes.serve(IdentityOperations.endPendingPhone, for: bearers) { caller, _, call in
            try await objection(to: .phone, caller, requestID: call.requestID)
        }
        routes.serve(IdentityOperations.endPendingMerge, for: bearers) { caller, _, call in
            try await objection(to: .merge, caller, requestID: call.requestID)
        }
    }

    private static func caller(_ user: SignedInUser, _ call: ServiceCall) -> ChangeOwnIdentities.Caller {
        ChangeOwnIdentities.Caller(user: user, accessToken: call.accessToken, requestID: call.requestID)
    }
}
