// swift-format-ignore-file
// As the HowRU document prints it in section 7; the module that stands in for Security is imported instead.
import Foundation
import KeychainStandIn

@Observable
final class AuthService {
    private(set) var currentUser: User?
    private(set) var isAuthenticated = false

    private let keychain = KeychainService()
    private let api = APIClient()

    // MARK: - Request OTP

    func requestOTP(phoneNumber: String, countryCode: String = "US") async throws {
        let request = OTPRequest(phoneNumber: phoneNumber, countryCode: countryCode)
        try await api.post("/auth/otp/request", body: request)
    }

    // MARK: - Verify OTP

    func verifyOTP(phoneNumber: String, code: String, name: String? = nil) async throws -> User {
        let request = VerifyOTPRequest(phoneNumber: phoneNumber, countryCode: "US", code: code, name: name)
        let response: AuthResponse = try await api.post("/auth/otp/verify", body: request)

        // Store tokens
        try keychain.save(response.tokens.accessToken, for: .accessToken)
        try keychain.save(response.tokens.refreshToken, for: .refreshToken)

        currentUser = response.user
        isAuthenticated = true

        return response.user
    }

    // MARK: - Refresh Token

    func refreshTokenIfNeeded() async throws {
        guard let refreshToken = keychain.get(.refreshToken) else {
            throw AuthError.notAuthenticated
        }

        let request = RefreshRequest(refreshToken: refreshToken)
        let response: AuthResponse = try await api.post("/auth/refresh", body: request)

        try keychain.save(response.accessToken, for: .accessToken)
        try keychain.save(response.refreshToken, for: .refreshToken)
    }

    // MARK: - Logout

    func logout() async {
        if let refreshToken = keychain.get(.refreshToken) {
            try? await api.post("/auth/logout", body: ["refreshToken": refreshToken])
        }

        keychain.delete(.accessToken)
        keychain.delete(.refreshToken)

        currentUser = nil
        isAuthenticated = false
    }
}
