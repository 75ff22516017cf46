public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// Requests by `URLSession`: no cookies, no cache, no redirects.
public final class URLSessionTransport: Transport {
    private let session: URLSession

    public convenience init() { self.init(Self.configuration) }

    /// Creates a transport with a configuration of your own, such as one with a proxy.
    public init(_ configuration: URLSessionConfiguration) {
        session = URLSession(configuration: configuration, delegate: NoRedirects(), delegateQueue: nil)
    }

    deinit { session.finishTasksAndInvalidate() }

    /// The configuration that ``init()`` uses.
    public static var configuration: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        configuration.urlCredentialStorage = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        return configuration
    }

    public func send(_ request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        let (data, response) = try await response(to: request)
        guard let response = response as? HTTPURLResponse else { throw AuthError.notLatchkey }
        return (data, response)
    }

    #if canImport(FoundationNetworking)
    /// On Linux, a cancelled caller stops waiting, and the request goes on until its own limit: `URLSessionTask.cancel()` of
    /// FoundationNetworking waits for the queue that delivers the response, and that queue may wait for the cancelled task.
    private func response(to request: URLRequest) async throws -> (Data, URLResponse) {
        let first = FirstResult<(Data, URLResponse)>()
        Task { [session] in
            do { first.finish(.success(try await session.data(for: request))) } catch { first.finish(.failure(error)) }
        }
        return try await first.value
    }
    #else
    private func response(to request: URLRequest) async throws -> (Data, URLResponse) {
        try await session.data(for: request)
    }
    #endif
}

/// Follows no redirect: a token sent to the server must not reach another one, and a portal's page is no response.
private final class NoRedirects: NSObject, URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}

extension AuthError {
    /// The error for a request that got no response.
    init(transport error: any Error) {
        self =
            switch error {
            case let error as AuthError: error
            case is CancellationError: .cancelled
            case let error as URLError: Self.of(error.code)
            default: .offline
            }
    }

    private static func of(_ code: URLError.Code) -> AuthError {
        switch code {
        case .cancelled: .cancelled
        case .timedOut: .timedOut
        case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
            .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
            .clientCertificateRequired, .appTransportSecurityRequiresSecureConnection:
            .untrustedServer
        default: .offline
        }
    }
}
