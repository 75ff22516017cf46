import FoundationEssentials
import SupervisorCore
import TestSupport
import Testing
import Yams

/// The manifests in deploy/kubernetes: each process has its own secrets, and reaches exactly the processes that it calls.
@Suite struct KubernetesTests {
    private static let folder = LatchkeyStack.root + "deploy/kubernetes/"

    /// The objects of a kind in a file.
    private static func objects(_ kind: String, in file: String) throws -> [[String: Any]] {
        let text = try String(contentsOfFile: folder + file, encoding: .utf8)
        return try Yams.load_all(yaml: text).compactMap { $0 as? [String: Any] }.filter {
            $0["kind"] as? String == kind
        }
    }

    private static func file(of process: ManagedProcess) -> String {
        process.isForDevelopers ? "overlays/development/developers.yaml" : "base/\(process.name).yaml"
    }

    private static func name(_ object: [String: Any]) -> String? {
        (object["metadata"] as? [String: Any])?["name"] as? String
    }

    /// The pod of a deployment or a job.
    private static func pod(_ object: [String: Any]) throws -> [String: Any] {
        let template = (object["spec"] as? [String: Any])?["template"] as? [String: Any]
        return try #require(template?["spec"] as? [String: Any])
    }

    private static func secrets(_ pod: [String: Any]) -> [String] {
        let volumes = pod["volumes"] as? [[String: Any]] ?? []
        return volumes.compactMap { $0["secret"] as? [String: Any] }.flatMap {
            $0["items"] as? [[String: String]] ?? []
        }
        .compactMap { $0["path"] }
    }

    @Test(arguments: Manifest.processes) func `a deployment runs its process with its secrets`(
        process: ManagedProcess
    ) throws {
        let deployments = try Self.objects("Deployment", in: Self.file(of: process))
        let pod = try Self.pod(try #require(deployments.first { Self.name($0) == process.name }))
        let container = try #require((pod["containers"] as? [[String: Any]])?.first)
        #expect(container["command"] as? [String] == [process.executable])
        let others = ["\(process.name)_database_password", "internal_tls_key"]
        let wanted = process.secrets.intersection(Manifest.madeSecrets.map(\.name) + others)
        #expect(Self.secrets(pod).sorted() == wanted.sorted())
        let environment = container["env"] as? [[String: Any]] ?? []
        let user = environment.first { $0["name"] as? String == "REDIS_USER" }?["value"] as? String
        #expect(user == process.redis?.name)
        let services = try Self.objects("Service", in: Self.file(of: process)).filter { Self.name($0) == process.name }
        let ports = (services.first?["spec"] as? [String: Any])?["ports"] as? [[String: Any]]
        #expect(ports?.first?["port"] as? Int == process.port)
    }

    @Test func `every pod is confined`() throws {
        let files = ["base/jobs.yaml"] + Manifest.processes.map(Self.file)
        let objects = try files.flatMap { try Self.objects("Deployment", in: $0) + Self.objects("Job", in: $0) }
        #expect(objects.count >= Manifest.processes.count + 2)
        for object in objects {
            let pod = try Self.pod(object)
            #expect(pod["automountServiceAccountToken"] as? Bool == false)
            #expect((pod["securityContext"] as? [String: Any])?["runAsNonRoot"] as? Bool == true)
            for container in pod["containers"] as? [[String: Any]] ?? [] {
                let context = container["securityContext"] as? [String: Any]
                #expect(context?["readOnlyRootFilesystem"] as? Bool == true)
                #expect(context?["allowPrivilegeEscalation"] as? Bool == false)
                #expect((context?["capabilities"] as? [String: [String]])?["drop"] == ["ALL"])
            }
        }
    }

    /// A caller and the process that it calls at a port.
    private struct Call: Hashable {
        let caller: String
        let callee: String
        let port: Int
    }

    /// The calls between processes that the policies allow, from the side of callers or of the called.
    private static func allowed(_ direction: String, _ peers: String) throws -> Set<Call> {
        let policies = try ["base/network.yaml", "overlays/development/developers.yaml"].flatMap {
            try objects("NetworkPolicy", in: $0)
        }
        var calls: Set<Call> = []
        for spec in policies.compactMap({ $0["spec"] as? [String: Any] }) {
            guard let own = process(spec["podSelector"]) else { continue }
            for rule in spec[direction] as? [[String: Any]] ?? [] {
                let names = (rule[peers] as? [[String: Any]] ?? []).compactMap { process($0["podSelector"]) }
                let ports = (rule["ports"] as? [[String: Any]] ?? []).compactMap { $0["port"] as? Int }
                for name in names {
                    for port in ports {
                        calls.insert(
                            direction == "egress"
                                ? Call(caller: own, callee: name, port: port)
                                : Call(caller: name, callee: own, port: port))
                    }
                }
            }
        }
        return calls
    }

    private static func process(_ selector: Any?) -> String? {
        ((selector as? [String: Any])?["matchLabels"] as? [String: String])?["process"]
    }

    @Test func `network policies allow the calls of the manifest, on both sides, and no other`() throws {
        let ports = Dictionary(uniqueKeysWithValues: Manifest.processes.map { ($0.name, $0.port) })
        var calls: Set<Call> = []
        for process in Manifest.processes {
            for callee in process.calls {
                calls.insert(Call(caller: process.name, callee: callee, port: ports[callee] ?? 0))
            }
        }
        #expect(!calls.isEmpty)
        #expect(try Self.allowed("egress", "to") == calls)
        // The gateway's only upstream in development.
        let upstream = Call(caller: "gateway", callee: "sample-api", port: ports["sample-api"] ?? 0)
        #expect(try Self.allowed("ingress", "from") == calls.union([upstream]))
    }

    /// The pods that a process reaches besides: Redis, PostgreSQL, the API.
    @Test(arguments: [
        ("gateway", ["redis", "upstream"]), ("otp", ["redis"]), ("token", ["postgres", "redis"]),
        ("user", ["postgres", "redis"]), ("functions", ["redis"]), ("database", ["postgres"]),
    ]) func `a process reaches the stores that it uses and no other`(name: String, wanted: [String]) throws {
        let policies = try Self.objects("NetworkPolicy", in: "base/network.yaml")
        let own = try #require(policies.first { Self.name($0) == name }?["spec"] as? [String: Any])
        let peers = (own["egress"] as? [[String: Any]] ?? []).flatMap { $0["to"] as? [[String: Any]] ?? [] }
        let labels = peers.compactMap {
            (($0["podSelector"] as? [String: Any])?["matchLabels"] as? [String: String])?["latchkey-peer"]
        }
        #expect(labels.sorted() == wanted)
        let open = peers.contains { $0["ipBlock"] != nil }
        #expect(open == (name == "otp"))
    }
}
