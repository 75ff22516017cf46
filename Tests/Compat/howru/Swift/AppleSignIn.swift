// swift-format-ignore-file
// As the HowRU document prints it in section 9, in a class of its own; what stands in for AuthenticationServices is in
// `AuthenticationServices.swift`.
import Foundation

final class AppleSignIn: ASAuthorizationControllerDelegate {
    private let api = APIClient()

func signInWithApple() {
    let request = ASAuthorizationAppleIDProvider().createRequest()
    request.requestedScopes = [.fullName, .email]

    let controller = ASAuthorizationController(authorizationRequests: [request])
    controller.delegate = self
    controller.performRequests()
}

func authorizationController(
    controller: ASAuthorizationController,
    didCompleteWithAuthorization authorization: ASAuthorization
) {
    guard let credential = authorization.credential as? ASAuthorizationAppleIDCredential,
          let identityToken = credential.identityToken,
          let tokenString = String(data: identityToken, encoding: .utf8) else {
        return
    }

    // Send to backend
    Task {
        try await api.post("/auth/apple", body: [
            "identityToken": tokenString,
            "fullName": credential.fullName,
            "email": credential.email
        ])
    }
}
}
