import InternalAPI
import Logging
import ServiceHTTP

/// user-service's operations on identities that others' tokens prove. Each row only translates.
struct IdentityRoutes: Sendable {
    let prove: ProveIdentityToken
    let provePhone: ProvePhoneToken
    let noteApple: NoteAppleEvent
    let begin: BeginWebSignIn
    let finish: FinishWebSignIn
    let redeem: RedeemSignInCode

    init(prove: ProveIdentityToken, provePhone: ProvePhoneToken, noteApple: NoteAppleEvent, web: WebSignIn) {
        (self.prove, self.provePhone, self.noteApple) = (prove, provePhone, noteApple)
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
        routes.serve(IdentityOperations.noteApple) { [noteApple] request, call in
            .answer(try await noteApple(request, requestID: call.requestID))
        }
        routes.serve(IdentityOperations.begin) { [begin] request, _ in .answer(try begin(request)) }
        routes.serve(IdentityOperations.finish) { [finish] request, call in
            .answer(try await finish(request, requestID: call.requestID, logger: call.logger))
        }
        routes.serve(IdentityOperations.redeem) { [redeem] request, _ in .answer(try await redeem(request)) }
    }
}
