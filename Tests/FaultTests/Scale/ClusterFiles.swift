import FoundationEssentials
import TestSupport

/// The settings of etcd, Patroni, PostgreSQL, Redis and Sentinel on the hosts.
struct ClusterFiles: Sendable {
    /// The account of replicas, Sentinels and the test in Redis.
    static let peer = "peer"
    /// The name by which the Sentinels know the master.
    static let name = "latchkey"
    static let sentinelSettings = ["down-after-milliseconds": 5000, "failover-timeout": 20000]

    /// Patroni: the version that `deploy/faults scale` installs, or else Debian's; `nil` if there is none.
    static let patroni = [LatchkeyStack.root + ".build/peers/patroni/bin/patroni", "/usr/bin/patroni"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    let network: Network
    /// Lines of Redis' ACL file: the accounts of the processes.
    let accounts: [String]
    /// Whether commits wait for the standby.
    var isSynchronous = true
    /// Parameters of PostgreSQL, in YAML.
    var parameters: [String] = []

    /// The folder with the data of a host.
    func data(_ host: Int) -> String { network.disk(host) }

    /// Makes the files of a host, before it starts for the first time.
    func write(for host: Int) async throws {
        let data = data(host)
        let files = [
            "patroni.yml": try patroni(host), "redis.conf": redis(host), "sentinel.conf": sentinel(host),
            "users.acl": (accounts + ["user \(Self.peer) on >\(Self.peer) ~* &* +@all"]).joined(separator: "\n"),
        ]
        for (name, text) in files {
            try await network.hub.run("printf '%s\\n' \"$TEXT\" >'\(data)/\(name)'", environment: ["TEXT": text])
        }
    }

    func patroniProgram() throws -> String {
        guard let program = Self.patroni else { throw Machine.Failed(description: "there is no Patroni") }
        return program
    }

    func etcd(_ host: Int, isNew: Bool) -> [String] {
        let (name, address) = ("h\(host + 1)", network.address(host))
        let all = network.hosts.indices.map { "h\($0 + 1)=http://\(network.address($0)):2380" }
        return [
            "etcd", "--name", name, "--data-dir", data(host) + "/etcd", "--initial-cluster", all.joined(separator: ","),
            "--listen-peer-urls", "http://\(address):2380", "--initial-advertise-peer-urls", "http://\(address):2380",
            "--listen-client-urls", "http://\(address):2379", "--advertise-client-urls", "http://\(address):2379",
            "--initial-cluster-state", isNew ? "new" : "existing", "--pre-vote",
        ]
    }

    private func patroni(_ host: Int) throws -> String {
        let (address, data) = (network.address(host), data(host))
        let settings = [
            "wal_sender_timeout: 5s", "wal_receiver_timeout: 5s", "shared_buffers: 32MB", "max_connections: 200",
            "min_wal_size: 32MB", "max_wal_size: 64MB",
        ]
        return """
            scope: latchkey
            name: h\(host + 1)
            etcd3: {host: "\(address):2379"}
            restapi: {listen: "\(address):8008", connect_address: "\(address):8008"}
            bootstrap:
              dcs:
                ttl: 20
                loop_wait: 5
                retry_timeout: 5
                primary_start_timeout: 0
                maximum_lag_on_failover: 16777216
                synchronous_mode: \(isSynchronous)
                postgresql:
                  use_pg_rewind: true
                  parameters: {\((settings + parameters).joined(separator: ", "))}
              initdb: [{encoding: UTF8}, {locale: C}, data-checksums]
            postgresql:
              listen: "\(address):5432"
              connect_address: "\(address):5432"
              data_dir: \(data)/pg/data
              bin_dir: \(try PostgreSQLServer.newestBinaries())
              pgpass: \(data)/pg/pgpass
              remove_data_directory_on_rewind_failure: true
              remove_data_directory_on_diverged_timelines: true
              authentication:
                superuser: {username: postgres}
                replication: {username: postgres}
              pg_hba: ["host all all \(network.range) trust", "host replication all \(network.range) trust"]
              parameters: {unix_socket_directories: ""}
            """
    }

    private func redis(_ host: Int) -> String {
        let following = host == 0 ? "" : "replicaof \(network.address(0)) 6379"
        // The third server is a master only if there is no other, since its host has no other service.
        return """
            port 6379
            dir \(data(host))
            protected-mode no
            aclfile \(data(host))/users.acl
            appendonly yes
            save ""
            hz 100
            maxmemory 128mb
            maxmemory-policy noeviction
            repl-diskless-sync-delay 0
            replica-priority \(host == 2 ? 200 : 100)
            masteruser \(Self.peer)
            masterauth \(Self.peer)
            \(following)
            """
    }

    private func sentinel(_ host: Int) -> String {
        let settings = Self.sentinelSettings.sorted { $0.key < $1.key }.map { "sentinel \($0) \(Self.name) \($1)" }
        return """
            port 26379
            dir \(data(host))
            protected-mode no
            sentinel announce-ip \(network.address(host))
            sentinel monitor \(Self.name) \(network.address(0)) 6379 2
            \(settings.joined(separator: "\n"))
            sentinel auth-user \(Self.name) \(Self.peer)
            sentinel auth-pass \(Self.name) \(Self.peer)
            """
    }
}
