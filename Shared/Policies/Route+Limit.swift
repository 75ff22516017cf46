extension Route {
    /// A limit, and the requests that it counts together.
    package struct Limit: Sendable, Equatable {
        /// The sender by which requests are counted.
        package enum Caller: String, Sendable, CaseIterable {
            /// The signed-in user; or the client of a route for clients.
            case user
            /// The client's IP address (IPv6: /64).
            case address
        }

        package var rate: RateLimit
        package var caller: Caller
    }

    /// The requests of those who act as users.
    package enum Acting: String, Sendable, CaseIterable {
        /// Safe methods (RFC 9110 section 9.2.1).
        case read
        /// All methods of the route.
        case write
    }
}
