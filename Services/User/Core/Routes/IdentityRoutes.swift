import InternalAPI
import Logging
import ServiceHTTP

/// user-service's operations on identities at providers. Each row only translates.
struct IdentityRoutes: Sendable {
    let prove: ProveIdentityToken
    let begin: BeginWebSignIn
    let finish: FinishWebSignIn
    let redeem: RedeemSignInCode

    init(prove: ProveIdentityToken, web: WebSignIn) {
        self.prove = prove
        begin = BeginWebSignIn(web: web, now: prove.now)
        finish = FinishWebSignIn(web: web, prove: prove)
        redeem = RedeemSignInCode(web: web, prove: prove)
    }

    func add(to routes: inout ServiceRoutes) {
        routes.serve(IdentityOperations.prove) { [prove] request, call in
            do {
                return .answer(try await prove(request, requestID: call.requestID))
            } catch let error as ProviderKeys.Unavailable {
                call.logger.warning("identity_tokens.no_keys", metadata: ["provider": "\(error.provider)"])
                throw ServiceProblem.unavailable(
                    "The key set of \(error.provider)", retryAfterSeconds: ProviderKeys.Unavailable.retryAfterSeconds)
            }
        }
        routes.serve(IdentityOperations.begin) { [begin] request, _ in .answer(try begin(request)) }
        routes.serve(IdentityOperations.finish) { [finish] request, call in
            .answer(try await finish(request, requestID: call.requestID, logger: call.logger))
        }
        routes.serve(IdentityOperations.redeem) { [redeem] request, _ in .answer(try await redeem(request)) }
    }
}
