import AuthAPI
import InternalAPI
import StrictJSON
import Synchronization
import Testing

@testable import EdgeHTTP
@testable import GatewayCore

/// Which grants the gateway tries for one proof.
@Suite struct OpenSessionTests {
    @Test func `a grant that came with the proof is tried first, and nothing is resolved`() async throws {
        let services = Services(issue: [.issued])
        let signedIn = try await services.open(knowing: "known")
        #expect(signedIn.resolved.grant == "known" && signedIn.tokens.accessToken == "a.b.c")
        #expect(services.asked == ["issue known"])
    }

    @Test func `when that is too old the proof is resolved, and that grant is tried`() async throws {
        let services = Services(issue: [.stale, .issued])
        #expect(try await services.open(knowing: "known").resolved.grant == "resolved")
        #expect(services.asked == ["issue known", "resolve proof", "issue resolved"])
    }

    @Test func `what resolve refuses then is the answer`() async throws {
        let services = Services(issue: [.stale], resolves: false)
        await #expect(throws: Refusal.wrongCode) { try await services.open(knowing: "known") }
        #expect(services.asked == ["issue known", "resolve proof"])
    }

    @Test func `a sign-in that is held is refused with its details, which have a query of their own`() async throws {
        for (code, refusal) in [
            (ResolveRefusal.phoneChangePending, Refusal.phoneChangePending(movesAt: 5)),
            (.secondIdentityRequired, .secondIdentityRequired(methods: ["email"])),
            (.deletionScheduled, .deletionScheduled(restoreToken: "restore.token")),
            (.secondFactorRequired, .secondFactorRequired(mfaToken: "mfa.token", methods: ["totp", "recovery"])),
        ] {
            let services = Services(issue: [], resolves: false, refusal: code)
            await #expect(throws: refusal) { try await services.open(knowing: nil) }
            #expect(services.asked == ["resolve proof", "held proof"])
        }
        let body = try StrictJSON.parse(
            NativeDialect().reply(to: .phoneChangePending(movesAt: 5)).body, limits: .own)
        #expect(body["movesAt"]?.integerValue == 5)
        let other = try StrictJSON.parse(
            NativeDialect().reply(to: .secondIdentityRequired(methods: [])).body, limits: .own)
        #expect(other["methods"] != nil && other["movesAt"] == nil)
        let scheduled = NativeDialect().reply(to: .deletionScheduled(restoreToken: "restore.token"))
        #expect(try StrictJSON.parse(scheduled.body, limits: .own)["restoreToken"]?.stringValue == "restore.token")
    }

    @Test func `without such a grant the proof is resolved, again where a grant is too old, three times`() async throws
    {
        let services = Services(issue: [.stale, .stale, .stale, .issued])
        await #expect(throws: Refusal.unavailable) { try await services.open(knowing: nil) }
        #expect(services.asked == Array(repeating: ["resolve proof", "issue resolved"], count: 3).flatMap { $0 })
    }
}

/// user- and token-service as the gateway sees them, and what they were asked in turn.
private final class Services: InternalTransport {
    enum Issued { case issued, stale }

    private let state: Mutex<(issue: [Issued], asked: [String])>
    private let resolves: Bool
    private let refusal: ResolveRefusal

    init(issue: [Issued], resolves: Bool = true, refusal: ResolveRefusal = .attestationRefused) {
        self.refusal = refusal
        state = Mutex((issue, []))
        self.resolves = resolves
    }

    var asked: [String] { state.withLock { $0.asked } }

    func open(knowing grant: String?) async throws -> OpenSession.SignedIn {
        func client(_ name: String) -> ServiceClient { ServiceClient(service: name, transport: self) }
        let open = OpenSession(
            services: BackendServices(otp: client("otp"), token: client("token"), user: client("user")))
        let head = try HeadParsing.head("POST /auth/login HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n")
        let request = ClientRequest(EndpointRequest(head: head, body: [], requestID: "r", clientAddress: "::1"))
        return try await open(
            attestation: "proof", resolved: grant.map(Self.answer), OpenSession.Wishes(dialect: "native"), key: nil,
            ClientCall(request))
    }

    func send(_ request: InternalRequest) async throws(ServiceUnavailable) -> InternalResponse {
        do { return try answer(request) } catch { throw ServiceUnavailable(service: "test", reason: "\(error)") }
    }

    private static func answer(_ grant: String) -> ResolveAnswer {
        ResolveAnswer(
            grant: grant, isNewUser: false, restored: false,
            user: UserDetails(
                id: "u1", phoneNumber: nil, name: nil, role: "user", createdAt: 1, attributes: UserAttributes()))
    }

    private func answer(_ request: InternalRequest) throws -> InternalResponse {
        switch request.path {
        case UserOperations.resolve.path:
            let proof = try StrictJSON.decode(ResolveRequest.self, from: request.body, limits: .own).attestation
            state.withLock { $0.asked.append("resolve \(proof)") }
            guard resolves else { return Self.refused(refusal) }
            return InternalResponse(status: 200, body: try StrictJSON.encode(Self.answer("resolved")))
        case UserOperations.heldSignIn.path:
            let proof = try StrictJSON.decode(HeldSignInRequest.self, from: request.body, limits: .own).attestation
            state.withLock { $0.asked.append("held \(proof)") }
            let held = HeldSignIn(
                movesAt: 5, methods: ["email"], restoreToken: "restore.token", mfaToken: "mfa.token",
                factors: [.totp, .recovery])
            return InternalResponse(status: 200, body: try StrictJSON.encode(held))
        default:
            let grant = try StrictJSON.decode(IssueRequest.self, from: request.body, limits: .own).grant
            let next = state.withLock { state in
                state.asked.append("issue \(grant)")
                return state.issue.isEmpty ? Issued.stale : state.issue.removeFirst()
            }
            guard next == .issued else { return Self.refused(.grantStale as IssueRefusal) }
            let tokens = TokenSet(
                accessToken: "a.b.c", refreshToken: "r", accessExpiresAt: 1, refreshExpiresAt: 1, expiresIn: 1,
                sessionID: "s", userID: "u1")
            return InternalResponse(status: 200, body: try StrictJSON.encode(tokens))
        }
    }

    private static func refused(_ refusal: some InternalRefusal) -> InternalResponse {
        let body = #"{"code":"\#(refusal.rawValue)","title":"no"}"#
        return InternalResponse(status: refusal.status, body: Array(body.utf8))
    }
}
