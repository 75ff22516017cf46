#if canImport(AuthenticationServices) && canImport(Security)
public import AuthenticationServices
import Foundation

/// A sign-in with Apple, from the request to the server's confirmation.
///
/// ```swift
/// SignInWithAppleButton { request in
///     attempt = AppleSignIn(request)
/// } onCompletion: { result in
///     Task { try await auth.signInWithApple(attempt, result) }
/// }
/// ```
public struct AppleSignIn: Sendable {
    let nonce: AppleNonce

    /// Prepares a request: it asks for name and email address, and has a nonce.
    public init(_ request: ASAuthorizationAppleIDRequest) {
        nonce = AppleNonce()
        request.requestedScopes = [.fullName, .email]
        request.nonce = nonce.digest
    }

    /// The credential of a successful authorization, or `nil` if it is not Apple's or has no identity token.
    public func credential(_ authorization: ASAuthorization) -> (user: String, AppleCredential)? {
        guard let apple = authorization.credential as? ASAuthorizationAppleIDCredential, let token = apple.identityToken
        else { return nil }
        return (
            apple.user,
            AppleCredential(
                identityToken: String(decoding: token, as: UTF8.self),
                authorizationCode: apple.authorizationCode.map { String(decoding: $0, as: UTF8.self) },
                nonce: nonce.value, fullName: apple.fullName?.formatted(), email: apple.email)
        )
    }
}

extension LatchkeyAuth {
    /// Signs in with the result of Apple's dialog.
    ///
    /// Apple gives the user's name once. It is kept until the server has answered, so that it is not lost with a connection.
    ///
    /// - Returns: `nil` if the user has cancelled the dialog.
    @discardableResult
    public func signInWithApple(
        _ attempt: AppleSignIn, _ result: Result<ASAuthorization, any Error>
    ) async throws(AuthError) -> SignIn? {
        guard case .success(let authorization) = result else { return nil }
        guard let (user, given) = attempt.credential(authorization) else { throw .notLatchkey }
        return try await signInWithApple(given, ofAppleUser: user)
    }

    func signInWithApple(_ given: AppleCredential, ofAppleUser user: String) async throws(AuthError) -> SignIn {
        let (notes, note) = (KeychainNotes(), "apple.\(user)")
        let kept = notes.read(note).map { String(decoding: $0, as: UTF8.self) }
        var credential = given
        let (name, isToKeep) = AppleName.choose(given: given.fullName, kept: kept)
        credential.fullName = name
        // A name that cannot be kept is only lost if the connection is, too.
        if isToKeep, let name { try? notes.write(Data(name.utf8), note) }
        let signIn = try await signInWithApple(credential)
        notes.erase(note)
        return signIn
    }
}
#endif
