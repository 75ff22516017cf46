import ClientReport
import Foundation
import KeychainStandIn
import Observation

/// The life of one user of the printed client, and what the document says of it.
struct Life {
    let report = Report()
    let service = AuthService()
    let phone = "+1555\(Int.random(in: 2_000_000...9_999_999))"

    func run() async {
        await signIn()
        await signInWithApple()
        await refresh()
        await logOut()
    }

    private func signIn() async {
        await report.statement("H1 H5", "requestOTP has a code sent to the phone") {
            try await service.requestOTP(phoneNumber: phone)
            return try await code()?.count == 6
        }
        await report.statement("H15", "verifyOTP throws at a wrong code, and nobody is signed in") {
            let wrong = try await code() == "000000" ? "111111" : "000000"
            do { _ = try await service.verifyOTP(phoneNumber: phone, code: wrong) } catch let error as APIClient.Refused
            {
                let printed = #"{"success":false,"error":"Invalid or expired verification code"}"#
                return error.status == 401 && hasPrinted(error.body, printed) && !service.isAuthenticated
                    && Keychain.items.isEmpty
            }
            return false
        }
        await report.statement("H46", "isAuthenticated and currentUser change, and observers are told") {
            let told = Told()
            withObservationTracking {
                _ = service.isAuthenticated
            } onChange: {
                told.isTold = true
            }
            let user = try await service.verifyOTP(phoneNumber: phone, code: await code() ?? "", name: "Betty")
            return told.isTold && service.isAuthenticated && service.currentUser == user
        }
        await report.statement("H13", "the user has id, phoneNumber, name and isChecker") {
            let user = service.currentUser
            return user?.id.hasPrefix("usr_") == true && user?.phoneNumber == phone && user?.name == "Betty"
                && user?.isChecker == false
        }
        await report.statement("H47", "both tokens are in the Keychain under com.howru, after the first unlock") {
            let items = Keychain.items.sorted { $0.account < $1.account }
            return items.map(\.account) == ["com.howru.accessToken", "com.howru.refreshToken"]
                && items.allSatisfy { $0.accessible == kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly }
                && KeychainService().get(.refreshToken)?.hasPrefix("rt_") == true
        }
    }

    /// The document's second method, where the run has an Apple.
    private func signInWithApple() async {
        let subject = "000123.\(UUID().uuidString.lowercased())"
        guard (try? await Addresses.identityToken(subject: subject)) ?? nil != nil else { return }
        let (apple, phone) = (AppleSignIn(), ApplePhone.shared)
        var name = PersonNameComponents()
        (name.givenName, name.familyName) = ("Betty", "Smith")
        var id: String?
        await report.statement("H2 H61 H62", "signInWithApple signs a new user in, who has the name and no number") {
            phone.credential = ASAuthorizationAppleIDCredential(
                identityToken: try await Addresses.identityToken(subject: subject), fullName: name,
                email: "betty@example.com")
            apple.signInWithApple()
            let answer = try JSONDecoder().decode(AppleAnswer.self, from: try await phone.answer())
            id = answer.user.id
            return answer.isNewUser && answer.user.name == "Betty Smith" && answer.user.phoneNumber == nil
                && answer.tokens.refreshToken.hasPrefix("rt_")
        }
        await report.statement("H61", "the next time, without name and address, it is the same user") {
            phone.credential = ASAuthorizationAppleIDCredential(
                identityToken: try await Addresses.identityToken(subject: subject), fullName: nil, email: nil)
            apple.signInWithApple()
            let answer = try JSONDecoder().decode(AppleAnswer.self, from: try await phone.answer())
            return !answer.isNewUser && answer.user.id == id && answer.user.name == "Betty Smith"
        }
        await report.statement("H61", "a token that was used is refused") {
            apple.signInWithApple()
            do { _ = try await phone.answer() } catch let error as APIClient.Refused { return error.status == 401 }
            return false
        }
    }

    /// The answer that the printed code does not read.
    private struct AppleAnswer: Decodable {
        struct Person: Decodable {
            let id: String
            let phoneNumber, name: String?
        }

        let isNewUser: Bool
        let user: Person
        let tokens: Tokens
    }

    private func refresh() async {
        await report.statement("H45 H26", "refreshTokenIfNeeded replaces both tokens, and the new one is good") {
            let keychain = KeychainService()
            let old = (keychain.get(.accessToken), keychain.get(.refreshToken))
            try await service.refreshTokenIfNeeded()
            let new = (keychain.get(.accessToken), keychain.get(.refreshToken))
            _ = try await APIClient().get("/users/me")
            return new.0 != nil && new.0 != old.0 && new.1 != nil && new.1 != old.1
        }
    }

    private func logOut() async {
        await report.statement("H18", "logout ends the session and leaves nothing in the Keychain") {
            let refreshToken = KeychainService().get(.refreshToken) ?? ""
            await service.logout()
            guard Keychain.items.isEmpty, !service.isAuthenticated, service.currentUser == nil else { return false }
            do {
                try await APIClient().post("/auth/refresh", body: RefreshRequest(refreshToken: refreshToken))
            } catch let error as APIClient.Refused { return error.status == 401 }
            return false
        }
        await report.statement("H45", "without a token refreshTokenIfNeeded says that nobody is signed in") {
            do { try await service.refreshTokenIfNeeded() } catch AuthError.notAuthenticated { return true }
            return false
        }
    }

    /// The code that was sent, waited for a few seconds.
    private func code() async throws -> String? {
        for _ in 0..<100 {
            if let code = try await Addresses.code(for: phone) { return code }
            try await Task.sleep(nanoseconds: 50_000_000)
        }
        return nil
    }

    /// Whether a body has the printed members. It may have others, which the printed client does not read.
    private func hasPrinted(_ body: Data, _ printed: String) -> Bool {
        do {
            let found = try JSONSerialization.jsonObject(with: body) as? [String: NSObject]
            let expected = try JSONSerialization.jsonObject(with: Data(printed.utf8)) as? [String: NSObject]
            return expected?.allSatisfy { found?[$0.key] == $0.value } == true
        } catch { return false }
    }
}

/// Whether an observer was told.
private final class Told: @unchecked Sendable {
    // Written and read by one task, one after the other.
    var isTold = false
}
