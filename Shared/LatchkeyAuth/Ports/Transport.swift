public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// The way in which requests reach the server.
///
/// A transport follows no redirect, keeps no cookies and no cache, and repeats no request by itself. It throws `URLError`,
/// or ``AuthError`` where it knows better.
public protocol Transport: Sendable {
    func send(_ request: URLRequest) async throws -> (Data, HTTPURLResponse)
}
