import FoundationEssentials
import TestSupport

/// Latchkey on the cluster: a gateway, otp-service, token-service and user-service on each host of the pair.
struct Deployment: Sendable {
    private static let services = ["otp": 8081, "token": 8082, "user": 8083]
    private static let gatewayPort = 8080
    private static let inboxPort = 8025
    private static let upstreamPort = 8090
    /// The operations port of a process lies so far above its own.
    private static let operationsOffset = 1000
    /// How long a client waits for a response.
    private static let clientPatience = Duration.seconds(10)

    let cluster: Cluster
    /// The settings, secrets and programs of the processes; its own processes receive no requests.
    let model: LatchkeyStack
    private var network: Network { cluster.network }

    /// Runs `body` with everything started and ready.
    ///
    /// - Parameters:
    ///   - parameters: those of PostgreSQL, in YAML.
    ///   - isSynchronous: whether commits wait for the standby.
    static func with<Value: Sendable>(
        parameters: [String] = [], isSynchronous: Bool = true, _ body: (Deployment) async throws -> Value
    ) async throws -> Value {
        let policy = KillRound.policy.merging(PolicyText.unlimitedRefreshes) { $1 }
            .merging(PolicyText.noRepeatsWithoutKey) { $1 }
        return try await LatchkeyStack.run(name: "ScaleRounds", policy: policy) { model in
            let users = try String(contentsOfFile: model.dataDirectory + "/redis/users.acl", encoding: .utf8)
            return try await Network.with(logs: LatchkeyStack.binaries + "/stack-logs/ScaleRounds-hosts") { network in
                let files = ClusterFiles(
                    network: network, accounts: users.split(separator: "\n").map(String.init),
                    isSynchronous: isSynchronous, parameters: parameters)
                let deployment = Deployment(cluster: Cluster(network: network, files: files), model: model)
                try await deployment.start()
                return try await body(deployment)
            }
        }
    }

    private func start() async throws {
        try await cluster.start()
        try await start("inbox", on: network.hub, at: network.hubAddress, port: Self.inboxPort)
        try await start("sample-api", on: network.hub, at: network.hubAddress, port: Self.upstreamPort)
        try await command("database migrate")
        try await command("redis load", ["REDIS_USER": "functions"])
        for host in Cluster.pair { try await start(host) }
        try await untilReady()
    }

    /// Starts Latchkey's processes on one host.
    func start(_ host: Int) async throws {
        for (name, port) in Self.services { try await start(name, on: host, port: port) }
        try await start("gateway", on: host, port: Self.gatewayPort)
    }

    /// Starts one process on a host.
    ///
    /// - Parameter settings: replace those that all processes have.
    func start(_ name: String, on host: Int, port: Int, settings: [String: String] = [:]) async throws {
        try await start(name, on: network.hosts[host], at: network.address(host), port: port, settings: settings)
    }

    private func start(
        _ name: String, on machine: Machine, at address: String, port: Int, settings: [String: String] = [:]
    ) async throws {
        let twin = try ProcessTwin(of: name, in: model)
        var variables = twin.environment.merging(self.settings) { $1 }
        variables["LATCHKEY_LISTEN"] = "\(address):\(port)"
        variables["LATCHKEY_OPS_LISTEN"] = "\(address):\(port + Self.operationsOffset)"
        variables.merge(settings) { $1 }
        try await machine.start([twin.executable], log: "\(name)-\(port)", environment: variables)
    }

    /// The settings that lead processes to each other.
    private var settings: [String: String] {
        func each(_ text: (String) -> String) -> String {
            Cluster.pair.map { text(network.address($0)) }.joined(separator: ",")
        }
        let sentinels = network.hosts.indices.map { network.address($0) + ":26379" }.joined(separator: ",")
        let database = "postgres://postgres@\(each { $0 + ":5432" })/postgres?sslmode=disable"
        var settings = [
            "REDIS_URL": "redis+sentinel://\(sentinels)/\(ClusterFiles.name)",
            "TOKEN_DATABASE_URL": database, "USER_DATABASE_URL": database,
            "INBOX_URL": "http://\(network.hubAddress):\(Self.inboxPort)",
            "LATCHKEY_UPSTREAM": "http://\(network.hubAddress):\(Self.upstreamPort)",
        ]
        for (name, port) in Self.services { settings[name.uppercased() + "_URL"] = each { "http://\($0):\(port)" } }
        return settings
    }

    /// Runs latchkeyctl on the cluster.
    func command(_ command: String, _ settings: [String: String] = [:]) async throws {
        var variables = self.settings.merging(settings) { $1 }
        variables["LATCHKEY_SECRETS_DIR"] = model.dataDirectory + "/secrets"
        let outcome = try await Shell.run(
            "./latchkeyctl \(command)", in: LatchkeyStack.binaries, environment: variables)
        guard outcome.isSuccess else { throw Machine.Failed(description: "latchkeyctl \(command): \(outcome.output)") }
    }

    /// Waits until all processes on both hosts are ready.
    func untilReady() async throws {
        let ports = Self.services.merging(["gateway": Self.gatewayPort]) { $1 }
        for host in Cluster.pair {
            for (name, port) in ports {
                let operations = client(host, port + Self.operationsOffset)
                try await eventually("\(name) on h\(host + 1) is ready", within: .seconds(120)) {
                    do { return try await operations.get("/readyz").status == 200 } catch { return false }
                }
            }
        }
    }

    /// The stack as clients of one host's gateway see it.
    func stack(at host: Int, port: Int = gatewayPort) -> LatchkeyStack {
        var stack = model
        stack.gateway = client(host, port)
        stack.inbox = TestHTTPClient(base: "http://\(network.hubAddress):\(Self.inboxPort)")
        return stack
    }

    /// A client for otp-service on one host.
    func otp(_ host: Int) -> TestHTTPClient { client(host, Self.services["otp"] ?? 0) }

    private func client(_ host: Int, _ port: Int) -> TestHTTPClient {
        TestHTTPClient(base: "http://\(network.address(host)):\(port)").limited(to: Self.clientPatience)
    }
}
