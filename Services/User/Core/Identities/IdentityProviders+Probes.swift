import OutgoingConnections
import Policies
package import ServiceCalls
package import ServiceKit

extension UserService {
    /// Returns the requests by which an operator sees whether the keys of the policy's providers can be fetched.
    package static func probes(_ context: ProcessContext) throws -> [ProviderProbe] {
        try context.policy.tokenProviders.map { provider in
            var probe = ProviderProbe(
                provider.name, url: try IdentityProviders.keysURL(provider, context.settings), place: "jwksURL",
                authorities: try provider.usesOwnAuthority ? context.settings.ownAuthorities() : nil)
            probe.mustSucceed = true
            return probe
        }
    }
}
