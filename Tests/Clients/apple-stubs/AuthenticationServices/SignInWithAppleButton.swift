public import SwiftUI

public struct SignInWithAppleButton: StubView {
    public struct Label: Sendable {
        public static let signIn = Label()
        public static let `continue` = Label()
    }

    public init(
        _ label: Label = .signIn, onRequest: @escaping (ASAuthorizationAppleIDRequest) -> Void,
        onCompletion: @escaping (Result<ASAuthorization, any Error>) -> Void
    ) {}
}
