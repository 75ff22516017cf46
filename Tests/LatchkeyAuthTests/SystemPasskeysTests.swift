#if canImport(StubDarwin)
import AuthenticationServices
import Foundation
import LatchkeyAuthTesting
import Testing

@testable import LatchkeyAuth

extension StubDeviceTests {
    /// The system's sheets for passkeys, over a stand-in.
    @Suite @MainActor struct SystemPasskeysTests {
        private let window = StubWindows.make()
        private static let creation = PasskeyCreation(
            relyingParty: "example.com", challenge: Data([1]), userHandle: Data([2]), userName: "+1",
            displayName: "Betty",
            userVerification: .required, excludedCredentialIDs: [Data([3])])
        private let registration = ASAuthorizationPlatformPublicKeyCredentialRegistration(
            credentialID: Data([4]), rawClientDataJSON: Data([5]), rawAttestationObject: Data([6]))

        init() { ASAuthorizationController.opened = [] }

        private var system: SystemPasskeys { SystemPasskeys(over: { [window] in window }) }

        private func request(autoFill: Bool = false) -> PasskeyRequest {
            PasskeyRequest(
                relyingParty: "example.com", challenge: Data([1]), userVerification: .preferred,
                allowedCredentialIDs: [Data([3])], isAutoFill: autoFill)
        }

        /// Begins a call, and returns its sheet and the task that waits for it.
        private func open<Value: Sendable>(
            _ call: @escaping @Sendable (SystemPasskeys) async throws -> Value
        ) async -> (ASAuthorizationController, Task<Value, any Error>) {
            let (count, system) = (ASAuthorizationController.opened.count, system)
            let waiting = Task { try await call(system) }
            while ASAuthorizationController.opened.count == count { await Task.yield() }
            return (ASAuthorizationController.opened[count], waiting)
        }

        private func give(_ sheet: ASAuthorizationController, _ credential: any ASAuthorizationCredential) {
            let authorization = ASAuthorization(credential: credential)
            sheet.delegate?.authorizationController(controller: sheet, didCompleteWithAuthorization: authorization)
        }

        private func fail(_ sheet: ASAuthorizationController, _ code: Int, _ texts: [String: Any] = [:]) {
            let error = NSError(domain: ASAuthorizationError.errorDomain, code: code, userInfo: texts)
            sheet.delegate?.authorizationController(controller: sheet, didCompleteWithError: error)
        }

        private func failure<Value>(_ waiting: Task<Value, any Error>) async -> AuthError? {
            do { _ = try await waiting.value } catch { return AuthError(passkey: error) }
            return nil
        }

        @Test func `a new passkey is requested with the server's options`() async throws {
            let (sheet, waiting) = await open { try await $0.create(Self.creation) }
            let request = try #require(
                sheet.authorizationRequests.first as? ASAuthorizationPlatformPublicKeyCredentialRegistrationRequest)
            #expect(request.relyingPartyIdentifier == "example.com" && request.challenge == Data([1]))
            #expect(request.name == "+1" && request.displayName == "Betty" && request.userID == Data([2]))
            #expect(request.userVerificationPreference == .required)
            #expect(request.excludedCredentials?.map(\.credentialID) == [Data([3])])
            #expect(sheet.anchor === window && !sheet.isAutoFill)
            give(sheet, registration)
            let created = CreatedPasskey(
                credentialID: Data([4]), clientDataJSON: Data([5]), attestationObject: Data([6]))
            #expect(try await waiting.value == created)
        }

        @Test(arguments: [false, true])
        func `a passkey signs from a sheet or the keyboard`(_ autoFill: Bool) async throws {
            let options = request(autoFill: autoFill)
            let (sheet, waiting) = await open { try await $0.sign(options) }
            let request = try #require(
                sheet.authorizationRequests.first as? ASAuthorizationPlatformPublicKeyCredentialAssertionRequest)
            #expect(request.relyingPartyIdentifier == "example.com" && request.challenge == Data([1]))
            #expect(request.userVerificationPreference == .preferred && sheet.isAutoFill == autoFill)
            #expect(request.allowedCredentials.map(\.credentialID) == [Data([3])])
            give(
                sheet,
                ASAuthorizationPlatformPublicKeyCredentialAssertion(
                    credentialID: Data([4]), rawClientDataJSON: Data([5]), rawAuthenticatorData: Data([6]),
                    signature: Data([7]), userID: Data([8])))
            #expect(
                try await waiting.value
                    == PasskeyAssertion(
                        credentialID: Data([4]), clientDataJSON: Data([5]), authenticatorData: Data([6]),
                        signature: Data([7]), userHandle: Data([8])))
        }

        @Test func `what is not whole, or not asked for, is a failure`() async {
            let options = request()
            let incomplete = ASAuthorizationPlatformPublicKeyCredentialAssertion(
                credentialID: Data([4]), rawClientDataJSON: Data([5]), rawAuthenticatorData: nil, signature: nil,
                userID: nil)
            for credential in [incomplete, registration] as [any ASAuthorizationCredential] {
                let (sheet, waiting) = await open { try await $0.sign(options) }
                give(sheet, credential)
                #expect(await failure(waiting) == PasskeyFault.refusal("passkey_failed"))
            }
        }

        @Test func `a sheet closes with its task, and before another one opens`() async throws {
            let options = request()
            let (first, firstWaiting) = await open { try await $0.sign(options) }
            let (second, secondWaiting) = await open { try await $0.create(Self.creation) }
            #expect(first.isCancelled && !second.isCancelled)
            #expect(await failure(firstWaiting) == .cancelled)
            // The system tells the end of the first one late.
            fail(first, 1001)
            secondWaiting.cancel()
            #expect(await failure(secondWaiting) == .cancelled)
            #expect(second.isCancelled)
        }

        @Test func `the system's errors are told apart`() async {
            let options = request()
            let text = "Application with identifier a is not associated with domain example.com"
            let cases: [(Int, [String: Any], AuthError)] = [
                (1001, [:], .cancelled), (1006, [:], .passkeyExists),
                (1004, [NSLocalizedFailureReasonErrorKey: text], PasskeyFault.refusal("domain_not_associated")),
            ]
            for (code, texts, expected) in cases {
                let (sheet, waiting) = await open { try await $0.sign(options) }
                fail(sheet, code, texts)
                #expect(await failure(waiting) == expected)
            }
            let windowless = Task { try await SystemPasskeys(over: { nil }).sign(options) }
            #expect(await failure(windowless) == PasskeyFault.refusal("no_window"))
        }

        @Test func `the sheet for a new account gives number, name and passkey`() async throws {
            let (sheet, waiting) = await open { try await $0.createAccount(Self.creation) }
            let request = try #require(
                sheet.authorizationRequests.first as? ASAuthorizationAccountCreationPlatformPublicKeyCredentialRequest)
            #expect(request.accepted == [.phoneNumber] && request.challenge == Data([1]) && request.userID == Data([2]))
            var name = PersonNameComponents()
            (name.givenName, name.familyName) = ("Betty", "Holberton")
            let phone = ASContactIdentifier.phoneNumber(.init(value: "+15551234567"))
            give(sheet, ASAuthorizationAccountCreationPlatformPublicKeyCredential(phone, name: name, registration))
            let account = try #require(try await waiting.value)
            #expect(account.phone == "+15551234567" && account.name == "Betty Holberton")
            #expect(account.passkey.credentialID == Data([4]))
        }

        @Test(arguments: [1001, 1003, 1005, 1009, 1010])
        func `a sheet that the system refuses makes the app show its form`(_ code: Int) async throws {
            let (sheet, waiting) = await open { try await $0.createAccount(Self.creation) }
            fail(sheet, code)
            #expect(try await waiting.value == nil)
        }

        @Test func `the system is told which passkeys are accepted`() async {
            ASCredentialUpdater.accepted = []
            ASCredentialUpdater.unknown = []
            #expect(system.takesReports)
            await system.report(accepted: [Data([1])], ofUser: Data([2]), relyingParty: "example.com")
            await system.report(unknown: Data([3]), relyingParty: "example.com")
            #expect(ASCredentialUpdater.accepted == [[Data([1])]] && ASCredentialUpdater.unknown == [Data([3])])
        }
    }
}
#endif
