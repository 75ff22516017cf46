import Foundation
import LatchkeyAuth

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// The code of the tutorial in `LatchkeyAuth.docc`, word for word. `TutorialTests` compares them.

enum Screen: Equatable {
    case launch
    case signIn(SignOutReason?)
    case home
}

private func keep(_ pending: PendingCode) throws {
    _ = try JSONEncoder().encode(pending)
}

func makeAuth(baseURL: URL) -> LatchkeyAuth {
    var configuration = LatchkeyAuth.Configuration(baseURL: baseURL)
    configuration.deviceName = "Betty's phone"
    return LatchkeyAuth(configuration)
}

func follow(_ auth: LatchkeyAuth, show: (Screen) -> Void) async {
    for await state in auth.states {
        switch state {
        case .starting, .unavailable: show(.launch)
        case .signedOut(let reason): show(.signIn(reason))
        case .signedIn: show(.home)
        }
    }
}

func askForCode(_ auth: LatchkeyAuth, phone: String) async -> String? {
    do {
        let pending = try await auth.requestCode(phone: phone, region: "US")
        try keep(pending)
        return nil
    } catch AuthError.invalid(let field, _) {
        return "Please check the \(field)."
    } catch AuthError.rateLimited(_, let wait) {
        return "Please wait for \(wait)."
    } catch {
        return "There is no connection."
    }
}

func signIn(_ auth: LatchkeyAuth, _ pending: PendingCode, code: String) async -> String? {
    do {
        let signIn = try await auth.signIn(pending, code: code)
        return signIn.isNewUser ? "Welcome!" : nil
    } catch AuthError.codeRefused {
        return "The code is wrong or too old."
    } catch {
        return "There is no connection. Please try again."
    }
}

func loadGreeting(_ auth: LatchkeyAuth, baseURL: URL) async throws -> Data {
    let request = URLRequest(url: baseURL.appending(path: "api/hello"))
    let (data, response) = try await auth.data(for: request)
    guard response.statusCode == 200 else { throw URLError(.badServerResponse) }
    return data
}

func signOut(_ auth: LatchkeyAuth) async {
    await auth.signOut()
}
