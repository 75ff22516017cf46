import CoreMetrics
import InternalAPI
import Logging
import Policies

/// Reads a provider's answer to a sign-in in a browser, and sends the browser back to the app: with a code, or with an error.
///
/// Without a good state there is no address to which it could go; such an answer is refused, and stores nothing.
struct FinishWebSignIn: Sendable {
    /// The `error` with which a browser returns to the app.
    enum Problem: String, Error, CaseIterable {
        /// The person declined.
        case accessDenied = "access_denied"
        /// The provider cannot be reached or does not work at the moment.
        case away = "temporarily_unavailable"
        /// The provider's answer, its token or our registration there is wrong. The log or the audit has the reason.
        case provider = "provider_error"

        /// - Parameter error: the provider's word.
        init(of error: String) {
            self =
                switch error {
                // Apple has a word of its own.
                case "access_denied", "user_cancelled_authorize": .accessDenied
                case "temporarily_unavailable": .away
                default: .provider
                }
        }
    }

    /// The state was used by another call.
    private struct Used: Error {}

    /// The outcomes in the metric.
    static let resultLabels = [codeLabel, refusedLabel] + Problem.allCases.map(\.rawValue)
    private static let codeLabel = "code"
    private static let refusedLabel = "refused"

    let web: WebSignIn
    let prove: ProveIdentityToken

    /// - Throws: `WebSignInNotes.Failure` while Redis is away.
    func callAsFunction(
        _ request: WebSignInReturn, requestID: String?, logger: Logger
    ) async throws -> WebSignInAnswer {
        guard let provider = web.providers[request.provider] else { return WebSignInAnswer(.off) }
        let now = prove.now()
        guard let state = web.seal.open(SignInState.self, request.state, now: now),
            state.provider == request.provider, state.callbackURL == request.callbackURL,
            provider.isIssuer(request.issuer)
        else { return refused(request.provider) }
        do {
            // A response uses its state up, whatever it contains: a provider's code can be exchanged once, and an error is final.
            guard try await web.notes.use(state, by: request.callID, now: now) else { throw Used() }
            if let error = request.error { throw Problem(of: error) }
            let code = try await code(request, state, provider, requestID, logger)
            return redirected(request.provider, Self.codeLabel, state, ("code", try web.seal.seal(code)))
        } catch let problem as Problem {
            return redirected(request.provider, problem.rawValue, state, ("error", problem.rawValue))
        } catch is Used {
            return refused(request.provider)
        }
    }

    private func code(
        _ request: WebSignInReturn, _ state: SignInState, _ provider: WebProvider, _ requestID: String?,
        _ logger: Logger
    ) async throws -> SignInCode {
        guard let exchange = provider.exchange else {
            guard let token = request.identityToken else { throw Problem.provider }
            let verified = try await verify(token, state, provider, requestID, logger)
            return SignInCode(
                verified, of: state, name: ApplePerson.name(in: request.person),
                authorization: AuthorizationCode(
                    request.code, clientID: provider.clientID, redirectURI: state.callbackURL), now: prove.now())
        }
        guard let code = request.code else { throw Problem.provider }
        let token = try await exchanged(code, state, exchange, for: request.address, logger)
        return SignInCode(try await verify(token, state, provider, requestID, logger), of: state, now: prove.now())
    }

    private func exchanged(
        _ code: String, _ state: SignInState, _ exchange: CodeExchange, for address: String, _ logger: Logger
    ) async throws(Problem) -> String {
        do throws(CodeExchange.Failure) {
            return try await web.slots.carryOut(at: state.provider, for: address) {
                () async throws(CodeExchange.Failure) -> String in try await exchange(code, of: state)
            }
        } catch {
            let (problem, cause): (Problem, String) =
                switch error {
                case .away(let cause): (.away, cause)
                case .refused(let cause): (.provider, cause)
                }
            logger.warning(
                "web_sign_in.no_token", metadata: ["provider": "\(state.provider)", "cause": "\(cause)"])
            throw problem
        }
    }

    private func verify(
        _ token: String, _ state: SignInState, _ provider: WebProvider, _ requestID: String?, _ logger: Logger
    ) async throws -> VerifiedIdentityToken {
        do {
            let subject = IdentityProvider(rule: provider.rule(of: state), keys: provider.provider.keys)
            guard let verified = try await prove.verified(token, nonce: state.nonce, by: subject, requestID: requestID)
            else {
                throw Problem.provider
            }
            return verified
        } catch let error as ProviderKeys.Unavailable {
            logger.warning("identity_tokens.no_keys", metadata: ["provider": "\(error.provider)"])
            throw Problem.away
        }
    }

    private func redirected(
        _ provider: String, _ result: String, _ state: SignInState, _ member: (String, String)
    ) -> WebSignInAnswer {
        count(provider, result)
        return WebSignInAnswer(.redirected, location: WebProvider.location(state.redirect, adding: [member]))
    }

    private func refused(_ provider: String) -> WebSignInAnswer {
        count(provider, Self.refusedLabel)
        return WebSignInAnswer(.refused)
    }

    private func count(_ provider: String, _ result: String) {
        Counter(
            label: "auth_web_sign_ins_total", dimensions: [("provider", provider), ("result", result)]
        ).increment()
    }
}
