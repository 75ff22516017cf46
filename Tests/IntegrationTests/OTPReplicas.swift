import AsyncHTTPClient
import CryptoPrimitives
import FoundationEssentials
import InternalAPI
import NIOCore
import NIOHTTP1
import ServiceCalls
import TestSupport

/// The replicas of otp-service, called as the gateway calls them, from any client address and over many connections.
struct OTPReplicas: Sendable {
    static let connectionsMax = 200
    private static let timeout = TimeAmount(Patience.limit)

    let stack: LatchkeyStack
    private let names: [String]
    private let keys: KeyRing
    private let client: HTTPClient

    /// Runs `body` with connections of its own, closed on every way out.
    static func run<Value>(
        _ stack: LatchkeyStack, names: [String] = ["otp", "otp-2"], _ body: (OTPReplicas) async throws -> Value
    ) async throws -> Value {
        var configuration = HTTPClient.Configuration()
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = connectionsMax / names.count
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        do {
            let value = try await body(
                OTPReplicas(
                    stack: stack, names: names, keys: try stack.keyRing("assertion_gateway_otp"), client: client))
            try await client.shutdown()
            return value
        } catch {
            try await client.shutdown()
            throw error
        }
    }

    /// Asks for a code; nil when there was no answer but a failure.
    func request(_ phone: String, from address: String, turn: Int) async throws -> OTPRequestAnswer? {
        try await post(
            OTPOperations.request.path,
            OTPRequest(phone: phone, region: nil, purpose: .signIn, address: address, callID: UUID().uuidString), turn)
    }

    /// Presents a code; nil when there was no answer but a failure.
    func verify(_ phone: String, _ code: String, from address: String, turn: Int) async throws -> OTPVerifyAnswer? {
        try await post(
            OTPOperations.verify.path,
            OTPVerify(
                phone: phone, region: nil, code: code, purpose: .signIn, address: address, callID: UUID().uuidString),
            turn)
    }

    private func post<Answer: Decodable>(_ path: String, _ value: some Encodable, _ turn: Int) async throws -> Answer? {
        let body = Array(try JSONEncoder().encode(value))
        let first = try await post(path, body, turn, answering: [])
        guard let refusal = first?.refusal else { return try first?.answer(as: Answer.self) }
        // The replica has started since, and did not know this process yet.
        return try await post(path, body, turn, answering: [refusal.challenge])?.answer(as: Answer.self)
    }

    private struct Outcome {
        let status: Int
        let body: [UInt8]
        let refusal: CallRefusal?

        func answer<Answer: Decodable>(as type: Answer.Type) throws -> Answer? {
            status == 200 ? try JSONDecoder().decode(type, from: Data(body)) : nil
        }
    }

    private func post(
        _ path: String, _ body: [UInt8], _ turn: Int, answering challenges: [CallChallenge]
    ) async throws -> Outcome? {
        var request = HTTPClientRequest(url: try stack.service(names[turn % names.count]).base + path)
        request.method = .POST
        let call = AssertionSigner(caller: .gateway, service: "otp", keys: keys)
            .sign(AssertedRequest(method: "POST", path: path, body: body), wait: .seconds(30), answering: challenges)
        request.headers.add(name: AssertionSigner.header, value: call.text)
        request.headers.add(name: "Content-Type", value: "application/json")
        request.body = .bytes(body)
        let response: HTTPClientResponse
        do {
            response = try await client.execute(request, timeout: Self.timeout)
        } catch {
            // The process is being restarted: no answer.
            return nil
        }
        let bytes = try await response.body.collect(upTo: 1 << 16)
        let proof = response.headers.first(name: AnswerProof.header) ?? ""
        return Outcome(
            status: Int(response.status.code), body: Array(bytes.readableBytesView),
            refusal: call.proof.refusal(in: Array(proof.utf8)))
    }
}

/// Runs `body` for each number below `count`, so many at once.
func inParallel<Value: Sendable>(
    _ count: Int, lanes: Int, _ body: @escaping @Sendable (Int) async throws -> Value
) async throws -> [Value] {
    try await withThrowingTaskGroup(of: [Value].self) { group in
        for lane in 0..<min(lanes, count) {
            group.addTask {
                var values: [Value] = []
                for number in stride(from: lane, to: count, by: lanes) { values.append(try await body(number)) }
                return values
            }
        }
        return try await group.reduce(into: []) { $0 += $1 }
    }
}
