import CoreMetrics
import OutgoingConnections

/// The counts of connections to sign-in providers that failed.
enum IdentityProviderErrors {
    /// Counts a failed connection by its word, in addition to the count of the operation.
    ///
    /// - Returns: `false` for any other error, which is not counted.
    @discardableResult
    static func count(_ error: any Error, of provider: String) -> Bool {
        guard let failure = error as? ConnectionFailure else { return false }
        Counter(
            label: "auth_provider_errors_total", dimensions: [("provider", provider), ("code", failure.rawValue)]
        ).increment()
        return true
    }
}
