import CryptoPrimitives
import InternalAPI
import Policies

/// Sign-ins in a browser: what their steps share.
struct WebSignIn: Sendable {
    /// The policy's providers with which people sign in in a browser, by name.
    let providers: [String: WebProvider]
    /// The addresses of the app to which sign-ins return.
    let redirects: [String]
    let seal: WebSignInSeal
    let notes: WebSignInNotes
    let slots = ExchangeSlots()
}

/// Begins a sign-in in a browser. Nothing is stored, so that a program that only follows links changes nothing.
struct BeginWebSignIn: Sendable {
    let web: WebSignIn
    /// Unix time in seconds.
    let now: @Sendable () -> Int64

    /// - Parameter owner: the signed-in user who begins the flow; `nil` for a sign-in.
    /// - Throws: `InvalidInput` for a challenge that is none, an address that is not the app's, or a purpose that no flow of a user has.
    func callAsFunction(_ request: WebSignInStart, of owner: FlowOwner? = nil) throws -> WebSignInAnswer {
        guard owner.map({ FlowOwner.purposes.contains($0.purpose) }) ?? true else {
            throw InvalidInput(member: "purpose")
        }
        guard let provider = web.providers[request.provider] else { return WebSignInAnswer(.off) }
        guard let challenge = VerifierChallenge(request.challenge) else { throw InvalidInput(member: "challenge") }
        guard AppAddress.isListed(request.redirect, among: web.redirects) else {
            throw InvalidInput(member: "redirect")
        }
        let state = SignInState(
            provider: request.provider, callbackURL: request.callbackURL, challenge: challenge,
            redirect: request.redirect, owner: owner, now: now())
        return WebSignInAnswer(.redirected, location: provider.location(for: state, sealed: try web.seal.seal(state)))
    }
}
