import CryptoPrimitives
import EdgeHTTP
import Policies
import ServiceKit

/// The way to the console, and its way back: each request that is passed on has a ticket with the browser's address, with which the
/// console calls the API on behalf of that browser.
///
/// Only gateways make and read tickets, so the console cannot state another address, and a process that reaches the console past
/// the gateway has none.
struct ConsoleRoute: Sendable {
    static let ticketName = "Latchkey-Console"
    static let ticketSeconds: Int64 = 60
    private static let urlVariable = "CONSOLE_URL"
    /// Keeps the codes of tickets apart from those of assertions, which have the same key.
    private static let purpose = "latchkey console ticket"
    private static let bodyBytesMax = 16 * 1024
    private static let timeoutSeconds: Int64 = 30

    let route: AppRoute
    private let keys: KeyRing
    private let publicOrigin: String?

    /// Reads the settings, or returns `nil` if the policy has no console.
    ///
    /// - Parameter keys: keys that all gateways have.
    init?(_ context: ProcessContext, keys: KeyRing) throws {
        guard context.policy.admin.console else { return nil }
        let endpoints = try UpstreamEndpoint.read(
            [context.settings.text(Self.urlVariable) ?? ""], setting: Self.urlVariable, overTLS: false)
        self.init(
            UpstreamGroup(name: "console", endpoints: endpoints, logger: context.logger),
            keys: keys, publicOrigin: try context.publicURL()?.origin)
    }

    init(_ upstream: UpstreamGroup, keys: KeyRing, publicOrigin: String?) {
        let policy = Route(pattern: AdminPolicy.consolePattern, upstream: upstream.name, access: .open)
        route = AppRoute(policy: policy, upstream: upstream, isConsole: true)
        (self.keys, self.publicOrigin) = (keys, publicOrigin)
    }

    /// Whether a page of another site may have caused the request. The rule is that of pages whose sessions are in cookies.
    func refuses(_ head: RequestHead, over scheme: ForwardedScheme) -> Bool {
        let stated = head.text("origin")
        let isOwn = stated.map { $0 == publicOrigin || $0 == head.ownOrigin(over: scheme) } ?? false
        let origin: CrossSiteRule.Origin = head.all("origin").isEmpty ? .none : isOwn ? .allowed : .other
        return CrossSiteRule.refuses(CrossSiteRule.Request(head, origin: origin))
    }

    func plan(_ head: RequestHead, clientAddress: String, scheme: ForwardedScheme) -> ProxyPlan {
        ProxyPlan(
            upstream: route.upstream, target: Array(head.target), clientAddress: clientAddress, scheme: scheme,
            identityLines: Array("\(Self.ticketName): \(ticket(for: clientAddress, now: UnixTime.seconds()))\r\n".utf8),
            ownFieldNames: OwnFieldNames([Self.ticketName]), keepsAuthorization: false,
            bodyBytesMax: Self.bodyBytesMax, timeoutSeconds: Self.timeoutSeconds, ownsCrossOrigin: true,
            sharesCookies: true)
    }

    // MARK: - Tickets

    /// Returns a ticket: the address, the second at which it expires, the key's id, and a code over all that.
    func ticket(for address: String, now: Int64) -> String {
        let expiry = String(now + Self.ticketSeconds)
        let code = keys.signing.hmac.authenticate(Self.message(address, expiry))
        return "\(address);\(expiry);\(keys.signing.id);\(Base64URL.encode(code))"
    }

    /// Returns the address in a request's ticket, or `nil` if it has no valid one.
    func browserAddress(of head: RequestHead) -> String? {
        head.text("latchkey-console").flatMap { address(in: $0, now: UnixTime.seconds()) }
    }

    func address(in ticket: String, now: Int64) -> String? {
        let parts = ticket.split(separator: ";", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 4, let expiry = Int64(parts[1]), now < expiry, expiry <= now + 2 * Self.ticketSeconds,
            let key = keys[parts[2]], let code = Base64URL.decode(parts[3]),
            key.hmac.isValid(code, for: Self.message(parts[0], parts[1]))
        else { return nil }
        return parts[0]
    }

    private static func message(_ address: String, _ expiry: String) -> [UInt8] {
        Array("\(purpose)\n\(address)\n\(expiry)".utf8)
    }
}
