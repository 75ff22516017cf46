import FoundationEssentials
import Synchronization

/// A web page in a browser: it states its origin, and the browser keeps the cookies that it is set.
///
/// A copy of the jar at an earlier moment is what a tab presents whose response is on its way.
package final class PageClient: Sendable {
    /// A cookie of the jar.
    package struct Cookie: Sendable, Equatable {
        package var value: String
        package var path: String
        /// The attributes after the value, as they were set.
        package var attributes: String
    }

    package let gateway: TestHTTPClient
    package let origin: String
    private let jar: Mutex<[String: Cookie]>

    /// - Parameter origin: `nil` means that of the gateway itself.
    package init(_ gateway: TestHTTPClient, origin: String? = nil, cookies: [String: Cookie] = [:]) {
        self.gateway = gateway
        self.origin = origin ?? gateway.base
        jar = Mutex(cookies)
    }

    /// The cookies by their names.
    package var cookies: [String: Cookie] { jar.withLock { $0 } }

    /// Returns the value of the cookie of this name, whatever its prefix.
    package func value(_ name: String) -> String? {
        cookies.first { $0.key.hasSuffix("latchkey-\(name)") }?.value.value
    }

    /// Returns a tab with the cookies of this moment and a jar of its own.
    package func copy(origin: String? = nil) -> PageClient {
        PageClient(gateway, origin: origin ?? self.origin, cookies: cookies)
    }

    /// Puts a cookie into the jar, as a response does that sets it.
    package func set(_ name: String, _ value: String, path: String = "/") {
        jar.withLock { $0[name] = Cookie(value: value, path: path, attributes: "") }
    }

    package func remove(_ name: String) { jar.withLock { _ = $0.removeValue(forKey: name) } }

    /// Sends a request with the cookies that belong to its path, and keeps those of the response.
    ///
    /// - Parameter states: whether the request states the page's origin.
    package func send(
        _ method: String, _ path: String, _ json: String? = nil, headers: [(String, String)] = [], states: Bool = true
    ) async throws -> HTTPAnswer {
        var fields = headers
        if states { fields.append(("Origin", origin)) }
        if json != nil { fields.append(("Content-Type", "application/json")) }
        if let field = cookieField(for: path) { fields.append(("Cookie", field)) }
        let answer = try await gateway.send(method, path, headers: fields, body: json.map { Array($0.utf8) })
        keep(answer.cookies)
        return answer
    }

    package func post(
        _ path: String, _ json: String = "{}", headers: [(String, String)] = []
    ) async throws -> HTTPAnswer {
        try await send("POST", path, json, headers: headers)
    }

    /// Reads a page or a resource, which states no origin.
    package func get(_ path: String, headers: [(String, String)] = []) async throws -> HTTPAnswer {
        try await send("GET", path, headers: headers, states: false)
    }

    /// Returns the value of `Cookie` for a path, or `nil` if no cookie belongs to it.
    package func cookieField(for path: String) -> String? {
        let sent = cookies.filter {
            $0.value.path == "/" || path == $0.value.path || path.hasPrefix($0.value.path + "/")
        }
        return sent.isEmpty ? nil : sent.map { "\($0.key)=\($0.value.value)" }.sorted().joined(separator: "; ")
    }

    /// Keeps the cookies of a response, given as the values of its `Set-Cookie` fields.
    package func keep(_ fields: [String]) {
        for field in fields {
            let parts = field.split(separator: ";", maxSplits: 1).map(String.init)
            let pair = (parts.first ?? "").split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let attributes = (parts.dropFirst().first ?? "").split(separator: ";").map {
                $0.trimmingPrefix { $0 == " " }
            }
            let path = attributes.first { $0.hasPrefix("Path=") }.map { String($0.dropFirst(5)) } ?? "/"
            let (name, value) = (String(pair.first ?? ""), pair.count > 1 ? String(pair[1]) : "")
            jar.withLock { jar in
                jar[name] =
                    attributes.contains("Max-Age=0")
                    ? nil : Cookie(value: value, path: path, attributes: attributes.joined(separator: "; "))
            }
        }
    }
}
