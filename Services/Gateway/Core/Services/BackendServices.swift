import InternalAPI

/// The services behind the gateway.
struct BackendServices: Sendable {
    let otp: ServiceClient
    let token: ServiceClient
    let user: ServiceClient
}
