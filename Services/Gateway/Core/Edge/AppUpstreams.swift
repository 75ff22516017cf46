import EdgeHTTP
import OutgoingConnections
import Policies
package import ServiceKit

/// The app's own API: the policy's upstreams, and the routes that lead to them.
struct AppUpstreams: Sendable {
    private static let authoritiesVariable = "LATCHKEY_UPSTREAM_CA"

    private let groups: [String: UpstreamGroup]
    /// The TLS of the upstreams; `nil` if no policy had one over TLS yet.
    private let tls: UpstreamTLS?
    /// The authorities as they were read for this policy, which `tls` is to use.
    private let read: UpstreamTLS?

    /// - Parameter previous: the upstreams of the policy before. Those with the same URLs and the same check stay, with their
    ///   connections.
    init(_ context: ProcessContext, previous: AppUpstreams? = nil) throws {
        let endpoints = try Self.endpoints(context)
        let upstreams = context.policy.upstreams
        let usesTLS = endpoints.values.contains { $0.contains(where: \.usesTLS) }
        read = usesTLS ? try Self.tls(context) : nil
        let tls = previous?.tls ?? read
        self.tls = tls
        groups = Dictionary(
            uniqueKeysWithValues: endpoints.map { name, endpoints in
                let check = upstreams[name]?.health.map(HealthCheckRule.init)
                if let known = previous?.groups[name], known.endpoints == endpoints, known.check == check {
                    return (name, known)
                }
                let made = UpstreamGroup(
                    name: "app:\(name)", endpoints: endpoints, check: check, tls: tls, logger: context.logger)
                return (name, made)
            })
    }

    /// Returns the app's routes, each with its upstream.
    func routes(_ policy: Policy) throws -> [AppRoute] {
        try policy.routes.map { route in
            guard let group = groups[route.upstream] else {
                throw SettingsError(
                    "routes", "the upstream \"\(route.upstream)\" is not defined. Add it to upstreams in the policy.")
            }
            return AppRoute(policy: route, upstream: group, mfa: policy.mfa)
        }
    }

    /// Retires the upstreams that `next` does not have, and gives the others the authorities that were read for it.
    func retire(besides next: AppUpstreams) {
        if let read = next.read { tls?.use(read) }
        for (name, group) in groups where next.groups[name] !== group { group.retire() }
    }

    /// Reads the endpoints of each upstream, by its name.
    static func endpoints(_ context: ProcessContext) throws -> [String: [UpstreamEndpoint]] {
        let fallback = context.settings.text("LATCHKEY_UPSTREAM") ?? ""
        var endpoints: [String: [UpstreamEndpoint]] = [:]
        for (name, upstream) in context.policy.upstreams {
            let urls = upstream.urls ?? fallback.split(separator: ",").map(String.init)
            let setting = upstream.urls == nil ? "LATCHKEY_UPSTREAM" : "upstreams.\(name)"
            endpoints[name] = try UpstreamEndpoint.read(urls, setting: setting, overTLS: true)
        }
        return endpoints
    }

    private static func tls(_ context: ProcessContext) throws -> UpstreamTLS {
        let file = context.settings.variable(authoritiesVariable)
        let own = try file == nil ? context.settings.ownAuthorities() : nil
        do throws(UpstreamTLS.Problem) { return try UpstreamTLS(authorities: file, own: own) } catch {
            throw SettingsError(authoritiesVariable, error.description)
        }
    }
}

extension Gateway {
    /// Returns where the app's upstreams listen, apart from socket files. `latchkeyctl doctor` connects to them.
    package static func upstreamAddresses(_ context: ProcessContext) throws -> [(host: String, port: Int)] {
        let places = Set(try AppUpstreams.endpoints(context).values.joined().map(\.place))
        let addresses = places.compactMap { place -> (host: String, port: Int)? in
            if case .host(let host, let port) = place { (host: host, port: port) } else { nil }
        }
        return addresses.sorted { ($0.host, $0.port) < ($1.host, $1.port) }
    }
}

extension HealthCheckRule {
    fileprivate init(_ health: Upstream.Health) {
        self.init(path: health.path, intervalSeconds: health.intervalSeconds)
    }
}

extension UpstreamEndpoint {
    /// Reads the URLs of a setting.
    ///
    /// - Parameter overTLS: whether `https://` is allowed.
    static func read(_ urls: [String], setting: String, overTLS: Bool) throws -> [UpstreamEndpoint] {
        try urls.map { url in
            guard let endpoint = UpstreamEndpoint(url: url), overTLS || !endpoint.usesTLS else {
                let schemes = overTLS ? "http://host:port, https://host:port" : "http://host:port"
                throw SettingsError.invalid(setting, url, use: "\(schemes) or unix:///path of at most 103 bytes")
            }
            return endpoint
        }
    }
}
