import FoundationEssentials
import Glibc
import TestSupport

/// Three hosts on a bridge that no route leads out of, and the test's own link to it.
struct Network: Sendable {
    /// The most tries to find an unused network.
    private static let triesMax = 20
    private static let hostCount = 3
    /// The size of PostgreSQL's disk.
    private static let diskMegabytes = 256
    /// The programs that it needs.
    private static let programs = [
        "nsenter", "unshare", "setpriv", "ip", "nft", "pkill", "etcd", "redis-server",
    ]

    /// The machine with the bridge and the disks, where the app's API and the inbox are; it is always there.
    let hub: Machine
    let hosts: [Machine]
    /// The first three numbers of all addresses.
    private let prefix: String
    /// The folder of the disks.
    private let disks: String

    /// The reason why this machine cannot have such a network; `nil` if it can.
    static var obstacle: String? {
        guard geteuid() == 0, PostgreSQLServer.diskObstacle == nil else {
            return "hosts in network namespaces need root"
        }
        let folders = ["/usr/sbin/", "/usr/bin/", "/sbin/", "/bin/", "/usr/local/bin/", "/usr/local/sbin/"]
        let missing = programs.filter { program in
            !folders.contains { FileManager.default.isExecutableFile(atPath: $0 + program) }
        }
        let all = missing + (ClusterFiles.patroni == nil ? ["patroni"] : [])
        return all.isEmpty ? nil : "hosts with a failover need \(all.joined(separator: ", "))"
    }

    /// Runs `body` in a new network whose hosts are on, and removes it on every path.
    ///
    /// - Parameter logs: the folder of the logs, which stay.
    static func with<Value>(logs: String, _ body: (Network) async throws -> Value) async throws -> Value {
        try await withScratchFolder { folder in
            let network = try await Network(folder: folder, logs: logs)
            do {
                try await network.powerOn()
                let value = try await body(network)
                try await network.powerOff()
                return value
            } catch {
                try await network.powerOff()
                throw error
            }
        }
    }

    private init(folder: String, logs: String) async throws {
        hub = try Machine("hub", logs: logs)
        hosts = try (1...Self.hostCount).map { try Machine("h\($0)", logs: logs) }
        disks = folder + "/data"
        prefix = "10.213.\(try await Self.unusedNumber())"
    }

    /// The folder of a host's disk, with one of PostgreSQL's own in it.
    func disk(_ host: Int) -> String { "\(disks)/h\(host + 1)" }

    /// The address of a host, counted from 0.
    func address(_ host: Int) -> String { "\(prefix).\(host + 1)" }
    var hubAddress: String { "\(prefix).254" }
    /// The test's own address.
    var testAddress: String { "\(prefix).253" }
    var range: String { "\(prefix).0/24" }

    /// The number of a network that no link of this machine has.
    private static func unusedNumber() async throws -> Int {
        for _ in 0..<triesMax {
            let number = Int.random(in: 0...255)
            let used = try await Shell.run("ip -4 route show 10.213.\(number).0/24", in: "/")
            if used.isSuccess, used.output.allSatisfy(\.isWhitespace) { return number }
        }
        throw Machine.Failed(description: "each 10.213.0.0/16 network is used")
    }

    private func powerOn() async throws {
        try await hub.powerOn()
        try await hub.runInNetwork(
            """
            ip link set dev lo up
            ip link add name br0 type bridge forward_delay 0
            ip address add \(hubAddress)/24 dev br0
            ip link set dev br0 up
            """)
        // The folder above stays closed to other users, but not to PostgreSQL's.
        try await hub.run("chmod 711 '\(disks)/..' && mount -t tmpfs -o mode=755 tmpfs '\(disks)'")
        // Before the hosts are on, which see the mounts of that moment.
        for host in hosts.indices {
            let (folder, owner) = (disk(host) + "/pg", "uid=$(id -u postgres),gid=$(id -g postgres)")
            let options = "size=\(Self.diskMegabytes)m,mode=700,\(owner)"
            try await hub.run("mkdir -p '\(folder)' && mount -t tmpfs -o \(options) tmpfs '\(folder)'")
        }
        try await attach(getpid(), as: "test", device: link)
        try await Self.shell("ip address add \(testAddress)/24 dev \(link) && ip link set dev \(link) up")
        for host in hosts.indices { try await powerOn(host) }
    }

    /// Switches a host on; its disks are as they were.
    func powerOn(_ host: Int) async throws {
        let machine = hosts[host]
        try await machine.powerOn(disks: hub)
        try await attach(machine.first, as: machine.name, device: "eth0")
        try await machine.runInNetwork(
            """
            ip link set dev lo up
            ip address add \(address(host))/24 dev eth0
            ip link set dev eth0 up
            """)
    }

    /// Lets a host hear nothing from another one, or only nothing that comes from a port there.
    func cut(_ host: Int, from other: Int, port: Int? = nil) async throws {
        try await hosts[host].runInNetwork(
            """
            nft -f - <<'END'
            add table inet cut
            add chain inet cut heard { type filter hook input priority 0; }
            add rule inet cut heard ip saddr \(address(other)) \(port.map { "tcp sport \($0)" } ?? "") drop
            END
            """)
    }

    /// Ends all cuts of a host.
    func reconnect(_ host: Int) async throws {
        try await hosts[host].runInNetwork("nft delete table inet cut 2>/dev/null || true")
    }

    private var link: String { "lk" + prefix.filter(\.isNumber) }

    private func attach(_ process: pid_t, as name: String, device: String) async throws {
        try await hub.runInNetwork(
            """
            ip link add name \(name) type veth peer name \(device) netns \(process)
            ip link set dev \(name) master br0 up
            """)
    }

    private func powerOff() async throws {
        for machine in hosts + [hub] { try await machine.powerOff() }
    }

    private static func shell(_ script: String) async throws {
        let outcome = try await Shell.run(script, in: "/")
        guard outcome.isSuccess else { throw Machine.Failed(description: "\(script): \(outcome.output)") }
    }
}
