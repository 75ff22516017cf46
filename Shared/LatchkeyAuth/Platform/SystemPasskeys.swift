#if canImport(AuthenticationServices) && !os(tvOS) && !os(watchOS)
public import AuthenticationServices
public import Foundation

/// The system's passkeys, with its sheets (`ASAuthorizationController`). One sheet is open at a time.
///
/// The app needs the domain of the passkeys among its associated domains, as `webcredentials:`.
public struct SystemPasskeys: PasskeyProvider {
    private let window: @MainActor @Sendable () -> ASPresentationAnchor?

    /// Creates a provider whose sheets open over the app's front window.
    @available(iOSApplicationExtension, unavailable, message: "Use init(over:)")
    @available(visionOSApplicationExtension, unavailable, message: "Use init(over:)")
    public init() { self.init { SystemBrowser.frontWindow } }

    /// Creates a provider whose sheets open over a window of the app's choice.
    public init(over window: @escaping @MainActor @Sendable () -> ASPresentationAnchor?) { self.window = window }

    public func create(_ request: PasskeyCreation) async throws -> CreatedPasskey {
        let made = try await PasskeySheet.open(.create(request), over: window)
        guard case .created(let passkey) = made else { throw PasskeyFault.refusal("passkey_failed") }
        return passkey
    }

    public func sign(_ request: PasskeyRequest) async throws -> PasskeyAssertion {
        let made = try await PasskeySheet.open(.sign(request), over: window)
        guard case .signed(let assertion) = made else { throw PasskeyFault.refusal("passkey_failed") }
        return assertion
    }

    public func createAccount(_ request: PasskeyCreation) async throws -> PasskeyAccount? {
        guard #available(iOS 26, macOS 26, visionOS 26, *) else { return nil }
        let made = try await PasskeySheet.open(.signUp(request), over: window)
        guard case .account(let account) = made else { return nil }
        return account
    }

    public var takesReports: Bool {
        if #available(iOS 26, macOS 26, visionOS 26, *) { true } else { false }
    }

    public func report(accepted credentialIDs: [Data], ofUser handle: Data, relyingParty: String) async {
        guard #available(iOS 26, macOS 26, visionOS 26, *) else { return }
        // A report that fails is made again after the next sign-in.
        try? await ASCredentialUpdater().reportAllAcceptedPublicKeyCredentials(
            relyingPartyIdentifier: relyingParty, userHandle: handle, acceptedCredentialIDs: credentialIDs)
    }

    public func report(unknown credentialID: Data, relyingParty: String) async {
        guard #available(iOS 26, macOS 26, visionOS 26, *) else { return }
        // Without it the system offers a passkey that does not work, until the next report.
        try? await ASCredentialUpdater().reportUnknownPublicKeyCredential(
            relyingPartyIdentifier: relyingParty, credentialID: credentialID)
    }
}

/// A sheet, or an offer of the keyboard, from its opening until the user has answered.
@MainActor
private final class PasskeySheet: NSObject, ASAuthorizationControllerDelegate,
    ASAuthorizationControllerPresentationContextProviding
{
    enum Request: Sendable {
        case create(PasskeyCreation)
        case sign(PasskeyRequest)
        case signUp(PasskeyCreation)
    }

    enum Made: Sendable {
        case created(CreatedPasskey)
        case signed(PasskeyAssertion)
        case account(PasskeyAccount)
        /// The app has to show its own form.
        case form
    }

    /// The open sheet. The system refuses a second one, so it closes before a later one opens.
    private static var current: PasskeySheet?
    private let window: ASPresentationAnchor
    private let result = FirstResult<Made>()
    private let request: Request
    private var controller: ASAuthorizationController?

    private init(_ request: Request, _ window: ASPresentationAnchor) { (self.request, self.window) = (request, window) }

    static func open(
        _ request: Request, over window: @MainActor @Sendable () -> ASPresentationAnchor?
    ) async throws -> Made {
        guard let window = window() else { throw PasskeyFault.refusal("no_window") }
        current?.close()
        let sheet = PasskeySheet(request, window)
        current = sheet
        defer { sheet.close() }
        try sheet.show()
        return try await sheet.result.value
    }

    private func show() throws {
        let controller = ASAuthorizationController(authorizationRequests: [try authorization()])
        controller.delegate = self
        controller.presentationContextProvider = self
        self.controller = controller
        guard case .sign(let request) = request, request.isAutoFill else { return controller.performRequests() }
        #if canImport(UIKit) && !targetEnvironment(macCatalyst)
        controller.performAutoFillAssistedRequests()
        #else
        throw PasskeyFault.refusal("no_autofill")
        #endif
    }

    private func close() {
        result.finish(.failure(AuthError.cancelled))
        controller?.cancel()
        controller = nil
        if Self.current === self { Self.current = nil }
    }

    private func authorization() throws -> ASAuthorizationRequest {
        switch request {
        case .create(let creation): return Self.registration(creation)
        case .sign(let request): return Self.assertion(request)
        case .signUp(let creation):
            guard #available(iOS 26, macOS 26, visionOS 26, *) else { throw PasskeyFault.refusal("passkey_failed") }
            return ASAuthorizationAccountCreationProvider().createPlatformPublicKeyCredentialRegistrationRequest(
                acceptedContactIdentifiers: [.phoneNumber], shouldRequestName: true,
                relyingPartyIdentifier: creation.relyingParty, challenge: creation.challenge,
                userID: creation.userHandle)
        }
    }

    private static func registration(_ creation: PasskeyCreation) -> ASAuthorizationRequest {
        let provider = ASAuthorizationPlatformPublicKeyCredentialProvider(
            relyingPartyIdentifier: creation.relyingParty)
        let request = provider.createCredentialRegistrationRequest(
            challenge: creation.challenge, name: creation.userName, userID: creation.userHandle)
        request.displayName = creation.displayName
        request.userVerificationPreference = creation.userVerification.preference
        if #available(iOS 17.4, macOS 14.4, visionOS 1.1, *) {
            request.excludedCredentials = creation.excludedCredentialIDs.map(descriptor)
        }
        return request
    }

    private static func assertion(_ request: PasskeyRequest) -> ASAuthorizationRequest {
        let provider = ASAuthorizationPlatformPublicKeyCredentialProvider(relyingPartyIdentifier: request.relyingParty)
        let assertion = provider.createCredentialAssertionRequest(challenge: request.challenge)
        assertion.userVerificationPreference = request.userVerification.preference
        assertion.allowedCredentials = request.allowedCredentialIDs.map(descriptor)
        return assertion
    }

    private static func descriptor(_ id: Data) -> ASAuthorizationPlatformPublicKeyCredentialDescriptor {
        ASAuthorizationPlatformPublicKeyCredentialDescriptor(credentialID: id)
    }

    // MARK: - The system's calls

    func presentationAnchor(for controller: ASAuthorizationController) -> ASPresentationAnchor { window }

    func authorizationController(
        controller: ASAuthorizationController, didCompleteWithAuthorization authorization: ASAuthorization
    ) {
        let made = Self.made(authorization.credential)
        result.finish(made.map { .success($0) } ?? .failure(PasskeyFault.refusal("passkey_failed")))
    }

    func authorizationController(controller: ASAuthorizationController, didCompleteWithError error: any Error) {
        let error = error as NSError
        let code = error.domain == ASAuthorizationError.errorDomain ? error.code : nil
        if case .signUp = request, PasskeyFault.wantsForm(code) { return result.finish(.success(.form)) }
        let texts = error.userInfo.values.compactMap { $0 as? String }
        result.finish(.failure(PasskeyFault.error(code, texts)))
    }

    private static func made(_ credential: any ASAuthorizationCredential) -> Made? {
        if let assertion = credential as? ASAuthorizationPlatformPublicKeyCredentialAssertion {
            return signed(assertion).map(Made.signed)
        }
        if let registration = credential as? ASAuthorizationPlatformPublicKeyCredentialRegistration {
            return created(registration).map(Made.created)
        }
        guard #available(iOS 26, macOS 26, visionOS 26, *),
            let account = credential as? ASAuthorizationAccountCreationPlatformPublicKeyCredential,
            case .phoneNumber(let phone) = account.contactIdentifier,
            let passkey = created(account.credentialRegistration)
        else { return nil }
        let name = AppleName.choose(given: account.name?.formatted(), kept: nil).name
        return .account(PasskeyAccount(phone: phone.value, name: name, passkey: passkey))
    }

    /// The assertion. In Apple's declarations its parts are `Data!`.
    private static func signed(_ assertion: ASAuthorizationPlatformPublicKeyCredentialAssertion) -> PasskeyAssertion? {
        guard let data = assertion.rawAuthenticatorData as Data?, let signature = assertion.signature as Data?,
            let handle = assertion.userID as Data?
        else { return nil }
        return PasskeyAssertion(
            credentialID: assertion.credentialID, clientDataJSON: assertion.rawClientDataJSON,
            authenticatorData: data, signature: signature, userHandle: handle)
    }

    private static func created(
        _ registration: ASAuthorizationPlatformPublicKeyCredentialRegistration
    ) -> CreatedPasskey? {
        registration.rawAttestationObject.map { attestation in
            CreatedPasskey(
                credentialID: registration.credentialID, clientDataJSON: registration.rawClientDataJSON,
                attestationObject: attestation)
        }
    }
}

extension UserVerification {
    fileprivate var preference: ASAuthorizationPublicKeyCredentialUserVerificationPreference {
        switch self {
        case .required: .required
        case .preferred: .preferred
        case .discouraged: .discouraged
        }
    }
}
#endif
