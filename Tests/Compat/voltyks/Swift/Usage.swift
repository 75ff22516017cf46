// swift-format-ignore-file
// As voltyks' document prints it under "Usage Example (iOS)"; the class around it is ours.
import KeychainStandIn
import Synchronization

/// A screen of the app, which shows the chargers or gives way to the login.
final class ChargersScreen {
    /// The answer to the login, whose request the document does not print.
    var response = LoginResponse.none
    /// Whether the login screen was asked for.
    let isAtLogin = Mutex(false)

    // Login - save initial tokens
    func login(email: String, password: String) {
        // After successful login response:
        KeychainHelper.save(response.data.token, forKey: "accessToken")
        KeychainHelper.save(response.data.refreshToken, forKey: "refreshToken")
    }

    func loadChargers() {
        // Make API call - auto refresh if needed
        APIClient.shared.request(endpoint: "/api/chargers") { (result: Result<ChargersResponse, Error>) in
            switch result {
            case .success(let chargers):
                print("Chargers: \(chargers)")
            case .failure(let error):
                if case AuthError.sessionExpired = error {
                    // Navigate to login screen
                    self.navigateToLogin()
                }
            }
        }
    }

    private func navigateToLogin() { isAtLogin.withLock { $0 = true } }
}
