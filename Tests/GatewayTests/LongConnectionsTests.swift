import InternalAPI
import Logging
import NIOCore
import Policies
import Synchronization
import Testing

@testable import EdgeHTTP
@testable import GatewayCore

/// The ends of open WebSockets and live responses that revocations and reloads cause.
@Suite struct LongConnectionsTests {
    /// An open connection, and why it was ended.
    private final class Opened: Sendable {
        let connection: LongConnection
        let refusal: LongEnding?
        private let box: Mutex<LongEnding?>.Box

        init(_ connection: LongConnection) {
            self.connection = connection
            let box = Mutex<LongEnding?>.Box(nil)
            self.box = box
            refusal = connection.didOpen { ending in
                box.mutex.withLock { $0 = ending }
                // The data path reports the end in the same way.
                connection.didEnd(ending)
            }
        }

        var ending: LongEnding? { box.mutex.withLock(\.self) }
    }

    private let replica = RevocationReplica()
    private let connections: LongConnections
    private let upstream: UpstreamGroup

    init() {
        connections = LongConnections(replica: replica)
        upstream = Self.group()
        replica.advance([], sentAt: MonotonicTime.nanoseconds())
    }

    private static func group() -> UpstreamGroup {
        UpstreamGroup(
            name: "app", endpoints: ["http://127.0.0.1:1"].compactMap(UpstreamEndpoint.init(url:)),
            logger: Logger(label: "test"))
    }

    private func token(_ session: String, key: String = "k1", version: Int64 = 3) -> TokenIdentity {
        TokenIdentity(
            userID: "usr_1", sessionID: session, keyID: key, version: version, role: nil, acceptedUntil: 10_000)
    }

    private func route(
        _ path: String = "/ws/**", _ access: Route.Access = .bearer, live: Bool = false, upstream: UpstreamGroup? = nil
    ) throws -> AppRoute {
        var route = Route(pattern: try #require(RoutePattern(path)), upstream: "app", access: access)
        (route.webSocket, route.live) = (!live, live)
        return AppRoute(policy: route, upstream: upstream ?? self.upstream)
    }

    private func open(_ token: TokenIdentity?, at route: AppRoute? = nil) throws -> Opened {
        let head = try HeadParsing.head("GET /ws/a HTTP/1.1\r\nHost: a\r\n\r\n")
        return Opened(LongConnection(head, at: try route ?? self.route(), as: token, among: connections))
    }

    private func revoke(_ subject: Revocation.Subject) {
        let revocation = Revocation(subject: subject, reason: .logout, until: 5000)
        replica.advance([revocation], sentAt: MonotonicTime.nanoseconds())
        connections.didRevoke([revocation])
    }

    @Test func `a revoked session ends its connections, and no other`() throws {
        let (one, two, other, nobody) = (
            try open(token("s1")), try open(token("s1")), try open(token("s2")), try open(nil)
        )
        #expect([one, two, other, nobody].allSatisfy { $0.refusal == nil })
        revoke(.session("s1"))
        #expect(one.ending == .revoked && two.ending == .revoked)
        #expect(other.ending == nil && nobody.ending == nil)
        #expect(connections.count(of: .webSocket) == 2)
    }

    @Test func `a revoked client's connections end as a user's do`() throws {
        let sid = "65f0a1b2c3d4e5f60718293a"
        let client = TokenIdentity(
            userID: "billing", sessionID: sid, keyID: "k1", version: 1, role: "admin", acceptedUntil: 10_000,
            holder: .client)
        let (one, user) = (try open(client, at: try route("/ws/**", .client)), try open(token("s1")))
        revoke(.session(sid))
        #expect(one.ending == .revoked && user.ending == nil)
        #expect(try open(client, at: try route("/ws/**", .client)).refusal == .revoked)
    }

    @Test func `changed rights end the tokens from before, and a revoked key ends its own`() throws {
        let (old, new, foreign) = (
            try open(token("s1", version: 3)), try open(token("s1", version: 4)), try open(token("s2", key: "k2"))
        )
        revoke(.version(sid: "s1", 4))
        #expect(old.ending == .revoked && new.ending == nil && foreign.ending == nil)
        revoke(.key("k2"))
        #expect(foreign.ending == .revoked && new.ending == nil)
    }

    @Test func `what was revoked before it began does not begin`() throws {
        revoke(.session("s1"))
        let late = try open(token("s1"))
        #expect(late.refusal == .revoked)
        late.connection.didEnd(.revoked)
        #expect(connections.count(of: .webSocket) == 0)
    }

    @Test func `a list that is loaded as a whole ends what it concerns`() throws {
        let (one, other) = (try open(token("s1")), try open(token("s2")))
        replica.reload(
            [Revocation(subject: .session("s1"), reason: .admin, until: 5000)], sentAt: MonotonicTime.nanoseconds(),
            now: nil)
        connections.didRevoke(nil)
        #expect(one.ending == .revoked && other.ending == nil)
    }

    @Test func `without contact for long, connections of users end and others stay`() throws {
        let (user, nobody) = (try open(token("s1")), try open(nil))
        connections.judgeContact()
        #expect(user.ending == nil)
        // The last contact of a new replica is the beginning of time.
        let silent = LongConnections(replica: RevocationReplica(), uncheckedSecondsMax: 0.5)
        let opened = Opened(
            LongConnection(
                try HeadParsing.head("GET /ws/a HTTP/1.1\r\nHost: a\r\n\r\n"), at: try route(), as: token("s1"),
                among: silent))
        #expect(opened.refusal == .unchecked)
        silent.judgeContact()
        #expect(opened.ending == .unchecked && nobody.ending == nil)
    }

    // MARK: - Reload

    private func table(_ routes: AppRoute...) -> RouteTable { RouteTable([], app: routes) }

    @Test func `a policy that serves the request in the same way ends nothing`() throws {
        let opened = try open(token("s1"))
        connections.use(table(try route("/other/**", .open), try route()))
        connections.use(table(try route("/ws/*", .bearer)))
        #expect(opened.ending == nil && connections.count(of: .webSocket) == 1)
    }

    @Test func `a policy without the route, or with another one for the request, ends it`() throws {
        let tables = [
            table(), table(try route("/ws/**", .open)), table(try route("/ws/**", .role(["admin"]))),
            table(try route("/ws/**", .bearer, upstream: Self.group())),
            table(try route("/ws/a", .role(["admin"])), try route()), table(try route("/ws/**", .bearer, live: true)),
        ]
        for (index, table) in tables.enumerated() {
            connections.use(self.table(try route()))
            let opened = try open(token("s1"))
            #expect(opened.refusal == nil)
            connections.use(table)
            #expect(opened.ending == .policy, "\(index)")
        }
    }

    @Test func `a request that was decided before a reload does not begin after it`() throws {
        connections.use(table())
        #expect(try open(token("s1")).refusal == .policy)
    }

    // MARK: - Expiry

    @Test func `a token's expiry is the time at which requests with it are refused`() {
        let now = NIODeadline.now()
        #expect(token("s1").expiry(now: now, milliseconds: 9_999_400) == now + .milliseconds(600))
        #expect(token("s1").expiry(now: now, milliseconds: 10_000_000) == now)
        #expect(token("s1").expiry(now: now, milliseconds: 99_000_000) == now)
        let endless = TokenIdentity(
            userID: "u", sessionID: "s", keyID: "k", version: 1, role: nil, acceptedUntil: .max)
        #expect(endless.expiry(now: now, milliseconds: 0) > now + .hours(24))
    }
}
