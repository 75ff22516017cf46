import FoundationEssentials
import InternalAPI
import Synchronization

/// otp-service as user-service sees it: notes whose networks it was told to forget, and is away when told so.
final class FakeOTPService: InternalTransport {
    private let state = Mutex((isAway: false, forgotten: [ForgetNetworksRequest]()))

    /// What was confirmed.
    var forgotten: [ForgetNetworksRequest] { state.withLock { $0.forgotten } }

    func setAway(_ isAway: Bool) { state.withLock { $0.isAway = isAway } }

    func send(_ request: InternalRequest) async throws(ServiceUnavailable) -> InternalResponse {
        do {
            return try state.withLock { state in
                guard !state.isAway, request.path == OTPOperations.forgetNetworks.path else {
                    return .init(status: 503, body: [])
                }
                state.forgotten.append(
                    try JSONDecoder().decode(ForgetNetworksRequest.self, from: Data(request.body)))
                return .init(status: 200, body: Array("{}".utf8))
            }
        } catch {
            throw ServiceUnavailable(service: "otp", reason: "\(error)")
        }
    }
}
