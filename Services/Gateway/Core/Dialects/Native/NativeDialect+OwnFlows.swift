import AuthAPI
import EdgeHTTP
import InternalAPI
import Policies

/// Flows in a browser that a signed-in user begins, to add an identity or to show again who they are. A flow comes back as a sign-in
/// does; its code is accepted only from this user and session, and only for its purpose.
extension NativeDialect {
    /// Two rows for each provider.
    var ownFlowRows: [DialectRow] {
        identities.web.flatMap { provider in
            [
                row("/users/me/identities", provider) { start, useCases, call throws(Refusal) in
                    try await useCases.identities.begin(start, call)
                }?
                .documented(
                    .identities, "Begins to add or replace the identity in a browser; returns the provider's page",
                    takes: .json(OwnFlowBody.self), .json(OwnFlowReply.self),
                    refusals: IdentityOperations.permitOwn.refusals + Refusal.ownFlow),
                row("/auth/reauthenticate", provider) { start, useCases, call throws(Refusal) in
                    try await useCases.reauthentication.begin(start, call)
                }?
                .documented(
                    .user, "Begins to show in a browser who the user is; returns the provider's page",
                    takes: .json(OwnFlowBody.self), .json(OwnFlowReply.self), refusals: Refusal.ownFlow),
            ].compactMap { $0 }
        }
    }

    private func row(
        _ base: String, _ provider: IdentityProviderPolicy,
        begin: @escaping @Sendable (WebSignInStart, UseCases, ClientCall) async throws(Refusal) -> String
    ) -> DialectRow? {
        RoutePattern("\(base)/\(Self.segments(of: provider.name))/authorize").map { pattern in
            DialectRow(.post, at: pattern, .bearer) { request, useCases throws(Refusal) in
                let body = try request.json.decode(OwnFlowBody.self)
                let start = WebSignInStart(
                    provider: provider.name, challenge: body.challenge, redirect: body.redirect,
                    callbackURL: try identities.callbacks.url(for: provider, at: request.head))
                return .json(OwnFlowReply(url: try await begin(start, useCases, ClientCall(request))))
            }
        }
    }

    /// The provider in a path: `apple`, or `oidc/` and the name.
    static func segments(of provider: String) -> String {
        provider == IdentityProviderPolicy.appleName ? provider : "oidc/\(provider)"
    }
}
