// swift-format-ignore-file
// As voltyks' document prints it under "Auth Service"; the base URL is another, and the second import brings what Foundation
// has on Apple's systems alone.
import Foundation
import KeychainStandIn

class AuthService {

    static let shared = AuthService()
    private let baseURL = Addresses.gateway

    func refreshTokens(completion: @escaping (Result<String, Error>) -> Void) {

        guard let refreshToken = KeychainHelper.get("refreshToken") else {
            completion(.failure(AuthError.noRefreshToken))
            return
        }

        guard let url = URL(string: "\(baseURL)/api/Auth/RefreshToken") else { return }

        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.setValue("Bearer \(refreshToken)", forHTTPHeaderField: "Authorization")
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")

        URLSession.shared.dataTask(with: request) { data, response, error in

            if let error = error {
                completion(.failure(error))
                return
            }

            guard let data = data else {
                completion(.failure(AuthError.noData))
                return
            }

            do {
                let tokenResponse = try JSONDecoder().decode(TokenResponse.self, from: data)

                if tokenResponse.status, let tokenData = tokenResponse.data {

                    // IMPORTANT: Save the NEW tokens
                    KeychainHelper.save(tokenData.accessToken, forKey: "accessToken")
                    KeychainHelper.save(tokenData.refreshToken, forKey: "refreshToken")
                    KeychainHelper.save(tokenData.accessTokenExpiresAt, forKey: "accessTokenExpiry")
                    KeychainHelper.save(tokenData.refreshTokenExpiresAt, forKey: "refreshTokenExpiry")

                    completion(.success(tokenData.accessToken))

                } else {
                    KeychainHelper.clearAll()
                    completion(.failure(AuthError.sessionExpired))
                }

            } catch {
                completion(.failure(error))
            }

        }.resume()
    }
}

enum AuthError: Error, LocalizedError {
    case noRefreshToken
    case noData
    case sessionExpired

    var errorDescription: String? {
        switch self {
        case .noRefreshToken: return "No refresh token found"
        case .noData: return "No data received"
        case .sessionExpired: return "Session expired, please login again"
        }
    }
}
