// swift-format-ignore-file
// As gremlin's document prints it under "iOS (Swift)"; the function around it, the URL's host, and what stands below
// "Handle response" are ours.
import KeychainStandIn

func requestUsers(_ handle: @escaping (Data?, URLResponse?, Error?) -> Void) {
    let url = URL(string: "\(Addresses.gateway)/api/admin/users")!
    var request = URLRequest(url: url)
    request.httpMethod = "GET"

    // Retrieve token from Keychain
    if let token = KeychainHelper.standard.read(service: "auth_token", account: "gremlin") {
        request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
    }

    let task = URLSession.shared.dataTask(with: request) { data, response, error in
        // Handle response
        handle(data, response, error)
    }
    task.resume()
}
