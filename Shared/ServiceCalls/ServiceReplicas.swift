import AsyncHTTPClient
import NIOCore
import NIOPosix
import ServerNames
import Synchronization

/// The replicas of a service: each address of each name in its URLs. Names are resolved again before their addresses are 5 s old, and a
/// connection to an address that a name no longer has is closed after its request.
final class ServiceReplicas: Sendable {
    /// One address of one URL.
    struct Replica: Sendable {
        let baseURL: String
        /// `nil` for a URL with an IP address.
        let address: SocketAddress?
        let client: AddressClient
    }

    /// The age from which addresses are resolved again while calls use them, and that at which a call waits for new ones.
    private static let (renewedAfter, ageMax): (Duration, Duration) = (.milliseconds(2_500), .seconds(5))

    private struct State {
        var replicas: [Replica] = []
        var resolvedAt: ContinuousClock.Instant?
        var lookUp: Task<[Replica], Never>?
    }

    private let baseURLs: [String]
    private let names: ServerNames
    /// The clients of URLs with an IP address, by URL.
    private let shared: [String: AddressClient]
    private let now: @Sendable () -> ContinuousClock.Instant
    private let state = Mutex(State())

    /// - Parameter client: The client of URLs with an IP address.
    init(
        _ baseURLs: [String], client: HTTPClient, names: ServerNames,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.baseURLs = baseURLs
        self.names = names
        self.now = now
        shared = Dictionary(baseURLs.map { ($0, AddressClient(shared: client)) }) { first, _ in first }
    }

    /// Returns the replicas in the order in which a call tries them: from a place on that moves on with each call, and those last that
    /// have just accepted no connection.
    func inTurn(_ turn: UInt) async -> [Replica] {
        let replicas = await current()
        guard replicas.count > 1 else { return replicas }
        let first = Int(turn % UInt(replicas.count))
        let rotated = replicas[first...] + replicas[..<first]
        let time = now()
        return rotated.filter { !$0.client.isRefusing(time) } + rotated.filter { $0.client.isRefusing(time) }
    }

    private func current() async -> [Replica] {
        let time = now()
        let (known, lookUp) = state.withLock { state -> ([Replica], Task<[Replica], Never>?) in
            let age = state.resolvedAt.map { time - $0 }
            if age.map({ $0 >= Self.renewedAfter }) ?? true, state.lookUp == nil {
                state.lookUp = Task { await self.lookUp() }
            }
            return (state.replicas, age.map { $0 < Self.ageMax } ?? false ? nil : state.lookUp)
        }
        return await lookUp?.value ?? known
    }

    private func lookUp() async -> [Replica] {
        let begunAt = now()
        let results: [Int: Result<[SocketAddress], any Error>] = await withTaskGroup(
            of: (Int, Result<[SocketAddress], any Error>?).self
        ) { group in
            for index in baseURLs.indices { group.addTask { (index, await self.addresses(of: self.baseURLs[index])) } }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        return state.withLock { state in
            let found = baseURLs.indices.flatMap { replicas(of: baseURLs[$0], results[$0], state.replicas) }
            // While no name is resolved, the known addresses may still work.
            if !found.isEmpty { state.replicas = found }
            state.resolvedAt = begunAt
            state.lookUp = nil
            return state.replicas
        }
    }

    /// Returns the addresses of a URL's name; `nil` for an IP address.
    private func addresses(of baseURL: String) async -> Result<[SocketAddress], any Error>? {
        guard let (host, port) = ServiceAuthority.parts(of: baseURL), ServerNames.literal(host, port) == nil else {
            return nil
        }
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        do { return .success(try await names.addresses(of: host, port: port, on: loop).get()) } catch {
            return .failure(error)
        }
    }

    /// Returns the replicas of a URL; a name without a reply keeps those that it had.
    private func replicas(
        of baseURL: String, _ result: Result<[SocketAddress], any Error>?, _ known: [Replica]
    ) -> [Replica] {
        switch result {
        case nil: return shared[baseURL].map { [Replica(baseURL: baseURL, address: nil, client: $0)] } ?? []
        case .success(let addresses):
            return addresses.map { address in
                known.first { $0.baseURL == baseURL && $0.address == address }
                    ?? Replica(baseURL: baseURL, address: address, client: AddressClient(of: baseURL, at: address))
            }
        case .failure(let error):
            return error as? NameFailure == .noReply ? known.filter { $0.baseURL == baseURL } : []
        }
    }
}
