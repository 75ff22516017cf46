// swift-format-ignore-file
// As voltyks' document prints it under "API Client with Auto Refresh"; the base URL is another, and the import is ours: the
// document prints none here.
import KeychainStandIn

class APIClient {

    static let shared = APIClient()
    private let baseURL = Addresses.gateway

    func request<T: Codable>(
        endpoint: String,
        method: String = "GET",
        body: Encodable? = nil,
        completion: @escaping (Result<T, Error>) -> Void
    ) {
        executeRequest(endpoint: endpoint, method: method, body: body, isRetry: false, completion: completion)
    }

    private func executeRequest<T: Codable>(
        endpoint: String,
        method: String,
        body: Encodable?,
        isRetry: Bool,
        completion: @escaping (Result<T, Error>) -> Void
    ) {
        guard let accessToken = KeychainHelper.get("accessToken") else {
            completion(.failure(AuthError.noRefreshToken))
            return
        }

        guard let url = URL(string: "\(baseURL)\(endpoint)") else { return }

        var request = URLRequest(url: url)
        request.httpMethod = method
        request.setValue("Bearer \(accessToken)", forHTTPHeaderField: "Authorization")
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")

        if let body = body {
            request.httpBody = try? JSONEncoder().encode(body)
        }

        URLSession.shared.dataTask(with: request) { data, response, error in

            if let httpResponse = response as? HTTPURLResponse, httpResponse.statusCode == 401 {

                // Token expired - try refresh (only once)
                if !isRetry {
                    AuthService.shared.refreshTokens { result in
                        switch result {
                        case .success:
                            self.executeRequest(endpoint: endpoint, method: method, body: body, isRetry: true, completion: completion)
                        case .failure(let error):
                            completion(.failure(error))
                        }
                    }
                    return
                }
            }

            // Handle response...
            guard let data = data else {
                completion(.failure(AuthError.noData))
                return
            }

            do {
                let result = try JSONDecoder().decode(T.self, from: data)
                completion(.success(result))
            } catch {
                completion(.failure(error))
            }

        }.resume()
    }
}
