public import Foundation

@MainActor public protocol ASAuthorizationControllerDelegate: NSObjectProtocol {
    func authorizationController(
        controller: ASAuthorizationController, didCompleteWithAuthorization authorization: ASAuthorization)
    func authorizationController(controller: ASAuthorizationController, didCompleteWithError error: any Error)
}

@MainActor public protocol ASAuthorizationControllerPresentationContextProviding: NSObjectProtocol {
    func presentationAnchor(for controller: ASAuthorizationController) -> ASPresentationAnchor
}

/// A sheet. A test answers it by its delegate, on the main actor as the system does.
@MainActor open class ASAuthorizationController: NSObject {
    /// The sheets that were opened.
    public static var opened: [ASAuthorizationController] = []

    public let authorizationRequests: [ASAuthorizationRequest]
    public private(set) var isCancelled = false
    public private(set) var isAutoFill = false
    public private(set) var anchor: ASPresentationAnchor?
    public weak var delegate: (any ASAuthorizationControllerDelegate)?
    public weak var presentationContextProvider: (any ASAuthorizationControllerPresentationContextProviding)?

    public init(authorizationRequests: [ASAuthorizationRequest]) { self.authorizationRequests = authorizationRequests }

    public func performRequests() {
        anchor = presentationContextProvider?.presentationAnchor(for: self)
        Self.opened.append(self)
    }

    public func performAutoFillAssistedRequests() {
        isAutoFill = true
        performRequests()
    }

    /// Closes the sheet. The system then calls the delegate with `canceled`, some time later.
    public func cancel() { isCancelled = true }
}

public struct ASAuthorizationError {
    public static let errorDomain = "com.apple.AuthenticationServices.AuthorizationError"
}
