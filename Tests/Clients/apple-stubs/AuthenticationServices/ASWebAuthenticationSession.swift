public import Foundation
public import UIKit

public typealias ASPresentationAnchor = UIWindow

@MainActor public protocol ASWebAuthenticationPresentationContextProviding: NSObjectProtocol {
    func presentationAnchor(for session: ASWebAuthenticationSession) -> ASPresentationAnchor
}

/// A sheet. A test answers it by `completionHandler`, on a queue of its own as the system does.
@MainActor open class ASWebAuthenticationSession: NSObject {
    public enum Callback: Equatable, Sendable {
        case customScheme(String)
        case https(host: String, path: String)
    }

    /// The sheets that were opened.
    public static var opened: [ASWebAuthenticationSession] = []
    public static var canStart = true

    public let url: URL
    public let callback: Callback?
    public let completionHandler: (URL?, (any Error)?) -> Void
    public private(set) var isCancelled = false
    public private(set) var anchor: ASPresentationAnchor?
    public var prefersEphemeralWebBrowserSession = false
    public weak var presentationContextProvider: (any ASWebAuthenticationPresentationContextProviding)?

    public init(url: URL, callback: Callback, completionHandler: @escaping (URL?, (any Error)?) -> Void) {
        (self.url, self.callback, self.completionHandler) = (url, callback, completionHandler)
    }

    public init(url: URL, callbackURLScheme: String?, completionHandler: @escaping (URL?, (any Error)?) -> Void) {
        (self.url, self.completionHandler) = (url, completionHandler)
        callback = callbackURLScheme.map(Callback.customScheme)
    }

    public func start() -> Bool {
        anchor = presentationContextProvider?.presentationAnchor(for: self)
        guard Self.canStart else { return false }
        Self.opened.append(self)
        return true
    }

    /// Closes the sheet. The system does not call the handler then.
    public func cancel() { isCancelled = true }
}

public struct ASWebAuthenticationSessionError: CustomNSError {
    public enum Code: Int, Sendable {
        case canceledLogin = 1
        case presentationContextNotProvided, presentationContextInvalid
    }

    public let code: Code
    private let text: String?

    public init(_ code: Code, text: String? = nil) { (self.code, self.text) = (code, text) }

    public var errorUserInfo: [String: Any] { text.map { [NSLocalizedFailureReasonErrorKey: $0] } ?? [:] }
}
