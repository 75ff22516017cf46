import FoundationEssentials
import StrictJSON
import TestSupport

/// PostgreSQL under Patroni on two hosts, Redis on three, and etcd and Sentinel on all.
struct Cluster: Sendable {
    /// The hosts with PostgreSQL and the processes of Latchkey; the third one has a Redis only.
    static let pair = [0, 1]
    /// The most time until it is whole again after a fault.
    private static let wholeLimit = Duration.seconds(180)

    let network: Network
    let files: ClusterFiles

    /// Starts everything on hosts that are on, and waits until it is whole.
    func start() async throws {
        for host in network.hosts.indices {
            try await files.write(for: host)
            try await start(host, isNew: true)
        }
        try await untilWhole()
    }

    /// Starts everything on one host.
    func start(_ host: Int, isNew: Bool = false) async throws {
        try await network.hosts[host].start(files.etcd(host, isNew: isNew), log: "etcd")
        try await startRedis(host)
        try await network.hosts[host].start(
            ["redis-server", files.data(host) + "/sentinel.conf", "--sentinel"], log: "sentinel")
        if Self.pair.contains(host) { try await startPatroni(host) }
    }

    func startRedis(_ host: Int) async throws {
        try await network.hosts[host].start(["redis-server", files.data(host) + "/redis.conf"], log: "redis")
    }

    func startPatroni(_ host: Int) async throws {
        let asPostgres = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", "env", "HOME=/tmp"]
        try await network.hosts[host].start(
            asPostgres + [try files.patroniProgram(), files.data(host) + "/patroni.yml"], log: "patroni")
    }

    /// Kills a Redis server, but not the Sentinel.
    func killRedis(_ host: Int) async throws {
        try await network.hosts[host].run("pkill -KILL -f '^redis-server .*:6379'")
    }

    /// Kills a PostgreSQL server and its Patroni, which would start it again.
    func killPostgreSQL(_ host: Int) async throws {
        try await network.hosts[host].run(
            "pkill -KILL -f '^[^ ]*python[^ ]* [^ ]*/patroni '; pkill -KILL -x postgres; true")
    }

    /// Leaves no byte free on the disk of a PostgreSQL server, and lets it need one.
    func fillDisk(_ host: Int) async throws {
        let fill = "dd if=/dev/zero bs=64k oflag=append conv=notrunc of=filler 2>/dev/null"
        try await network.hub.run("cd '\(files.data(host))/pg' && for _ in 1 2 3; do \(fill); done; true")
        for _ in 1...2 { _ = try await Shell.run(psql(host, "SELECT pg_switch_wal()"), in: "/") }
    }

    func emptyDisk(_ host: Int) async throws { try await network.hub.run("rm '\(files.data(host))/pg/filler'") }

    /// A statement for the server of one host.
    func psql(_ host: Int, _ statement: String) -> String {
        "timeout 10 psql -qXAt -h \(network.address(host)) -U postgres -c \"\(statement)\" postgres"
    }
}

// MARK: - State

extension Cluster {
    /// The host with PostgreSQL's primary according to Patroni; `nil` if there is no primary.
    func primary() async -> Int? { await members().first { $0.value == "leader" }?.key }

    /// The host with Redis' master, on which all Sentinels agree.
    func master() async -> Int? {
        var masters: Set<String> = []
        for host in network.hosts.indices {
            let lines = await redis(host, port: 26379, "sentinel get-master-addr-by-name \(ClusterFiles.name)")
            masters.insert(lines.first ?? "")
        }
        guard masters.count == 1, let address = masters.first else { return nil }
        return network.hosts.indices.first { network.address($0) == address }
    }

    /// Waits until each part is there, follows the right one, and could fail over again.
    func untilWhole() async throws {
        try await eventually("the cluster is whole", within: Self.wholeLimit, every: .milliseconds(500)) {
            await isWhole()
        }
    }

    private func isWhole() async -> Bool {
        let roles = await members().values.sorted()
        guard roles == ["leader", files.isSynchronous ? "sync_standby" : "replica"], let master = await master() else {
            return false
        }
        guard await redis(master, "info replication").count(where: { $0.contains("state=online") }) == 2 else {
            return false
        }
        for host in network.hosts.indices {
            let lines = await redis(host, port: 26379, "info sentinel")
            // A Sentinel that was frozen mistrusts itself for half a minute.
            guard lines.contains("sentinel_tilt:0"),
                lines.contains(where: { $0.contains("status=ok") && $0.hasSuffix("slaves=2,sentinels=3") })
            else { return false }
        }
        return true
    }

    /// Moves PostgreSQL's primary to the host of Redis' master, and returns that host.
    func gather() async throws -> Int {
        try await eventually("Redis' master is on a host with PostgreSQL", within: Self.wholeLimit, every: .seconds(2))
        {
            if let master = await master(), Self.pair.contains(master) { return true }
            _ = await redis(0, port: 26379, "sentinel failover \(ClusterFiles.name)")
            return false
        }
        try await untilWhole()
        guard let master = await master(), let primary = await primary() else {
            throw Machine.Failed(description: "the cluster has no master")
        }
        if primary != master {
            let body = #"{"leader": "h\#(primary + 1)", "candidate": "h\#(master + 1)"}"#
            let answer = try await patroni(primary).post("/switchover", body)
            guard answer.status == 200 else { throw UnexpectedAnswer(to: "POST /switchover", answer) }
            try await untilWhole()
        }
        return master
    }

    /// The settings as the running programs report them.
    func settings() async throws -> String {
        let config = try await patroni(0).get("/config").text
        let patroni = try await Shell.run("'\(try files.patroniProgram())' --version", in: "/").output
        let etcd = try await Shell.run("etcd --version | head -n 1", in: "/").output
        let sentinel = ClusterFiles.sentinelSettings.sorted { $0.key < $1.key }.map { "\($0) \($1)" }
        return [patroni + config, etcd + ", pre-vote", "Sentinel \(sentinel.joined(separator: ", "))"]
            .map { $0.filter { !$0.isNewline } }.joined(separator: "; ")
    }

    private func patroni(_ host: Int) -> TestHTTPClient { TestHTTPClient(base: "http://\(network.address(host)):8008") }

    /// The roles of the servers that run, by host.
    private func members() async -> [Int: String] {
        for host in Self.pair {
            do {
                let answer = try await patroni(host).limited(to: .seconds(3)).get("/cluster")
                let members = try answer.json["members"]?.arrayValue ?? []
                let running = members.filter { ["running", "streaming"].contains($0["state"]?.stringValue) }
                return Dictionary(
                    running.compactMap { member in
                        guard let name = member["name"]?.stringValue, let number = Int(name.dropFirst()),
                            let role = member["role"]?.stringValue
                        else { return nil }
                        return (number - 1, role)
                    }, uniquingKeysWith: { $1 })
            } catch { continue }
        }
        return [:]
    }

    /// Returns the lines of the reply to a command; empty without a reply.
    private func redis(_ host: Int, port: Int = 6379, _ command: String) async -> [String] {
        let account = port == 6379 ? "--user \(ClusterFiles.peer) --pass \(ClusterFiles.peer) --no-auth-warning" : ""
        let script = "timeout 3 redis-cli -h \(network.address(host)) -p \(port) \(account) \(command)"
        do {
            return try await Shell.run(script, in: "/").output.split(whereSeparator: \.isNewline).map(String.init)
        } catch { return [] }
    }
}
