import InternalAPI
import ServiceHTTP

/// The refusals that all operations with an access token have.
protocol BearerRefusing: InternalRefusal {
    static var invalidToken: Self { get }
    static var accountInactive: Self { get }
}

extension BearerRefusal: BearerRefusing {}
extension BearerBodyRefusal: BearerRefusing {}
extension AdminRefusal: BearerRefusing {}
extension DeleteAccountRefusal: BearerRefusing {}

extension OperationOutcome where Refusal: BearerRefusing {
    static var invalidToken: Self { .refused(.invalidToken, title: RefusalTitle.invalidToken) }
    static var inactive: Self { .refused(.accountInactive, title: RefusalTitle.inactive) }
}

extension OperationOutcome where Answer == UserDetails, Refusal: BearerRefusing {
    init(_ outcome: ProfileOutcome) {
        self =
            switch outcome {
            case .profile(let profile): .answer(profile)
            case .inactive: .inactive
            case .unknown: .invalidToken
            }
    }
}

extension ServiceRoutes {
    /// Adds an operation for signed-in users. A request without a valid access token is refused.
    mutating func serve<Body, Answer, Refusal: BearerRefusing>(
        _ operation: InternalOperation<Body, Answer, Refusal>, for bearers: BearerAuthentication,
        _ act: @escaping @Sendable (SignedInUser, Body, ServiceCall) async throws -> OperationOutcome<Answer, Refusal>
    ) {
        serve(operation) { body, call in
            guard let caller = try await bearers.caller(of: call) else { return .invalidToken }
            return try await act(caller, body, call)
        }
    }
}
