import Foundation

// What the printed code uses of AuthenticationServices: the person at the phone agrees at once.

final class ASAuthorizationAppleIDRequest {
    var requestedScopes: [ASAuthorization.Scope]?
}

struct ASAuthorizationAppleIDProvider {
    func createRequest() -> ASAuthorizationAppleIDRequest { ASAuthorizationAppleIDRequest() }
}

struct ASAuthorization {
    enum Scope: Equatable { case fullName, email }

    let credential: Any
}

final class ASAuthorizationAppleIDCredential {
    let identityToken: Data?
    let fullName: PersonNameComponents?
    let email: String?

    init(identityToken: Data?, fullName: PersonNameComponents?, email: String?) {
        self.identityToken = identityToken
        self.fullName = fullName
        self.email = email
    }
}

protocol ASAuthorizationControllerDelegate: AnyObject {
    func authorizationController(
        controller: ASAuthorizationController, didCompleteWithAuthorization authorization: ASAuthorization)
}

final class ASAuthorizationController {
    weak var delegate: ASAuthorizationControllerDelegate?
    private let requests: [ASAuthorizationAppleIDRequest]

    init(authorizationRequests: [ASAuthorizationAppleIDRequest]) { requests = authorizationRequests }

    func performRequests() {
        guard let credential = ApplePhone.shared.credential, requests.first?.requestedScopes?.isEmpty == false else {
            return
        }
        delegate?.authorizationController(
            controller: self, didCompleteWithAuthorization: ASAuthorization(credential: credential))
    }
}

/// The phone with its Apple account, and what the app's request was answered, which the printed code does not read.
final class ApplePhone: @unchecked Sendable {
    static let shared = ApplePhone()

    // Written and read by one task, one after the other.
    var credential: ASAuthorizationAppleIDCredential?
    private let lock = NSLock()
    private var taken: [Result<Data, Error>] = []

    func note(_ answer: Result<Data, Error>) {
        lock.lock()
        defer { lock.unlock() }
        taken.append(answer)
    }

    /// The answer to the next request, waited for.
    func answer() async throws -> Data {
        for _ in 0..<200 {
            if let answer = next() { return try answer.get() }
            try await Task.sleep(nanoseconds: 50_000_000)
        }
        throw URLError(.timedOut)
    }

    private func next() -> Result<Data, Error>? {
        lock.lock()
        defer { lock.unlock() }
        return taken.isEmpty ? nil : taken.removeFirst()
    }
}
