import FoundationEssentials
import SupervisorCore
import TestSupport
import Testing

/// The units of the Debian package give each process what it reads and nothing else.
@Suite struct DebianUnitTests {
    private static let folder = LatchkeyStack.root + "deploy/debian/"

    /// The values of a key in a unit.
    private static func values(_ key: String, of unit: String) throws -> [String] {
        let text = try String(contentsOfFile: folder + unit, encoding: .utf8)
        return text.split(separator: "\n").filter { $0.hasPrefix(key + "=") }.map {
            String($0.dropFirst(key.count + 1))
        }
    }

    @Test(arguments: Manifest.processes + [Manifest.console])
    func `a unit runs its process with its secrets`(process: ManagedProcess) throws {
        let unit = "latchkey-\(process.name).service"
        #expect(try Self.values("ExecStart", of: unit) == ["/usr/lib/latchkey/" + process.executable])
        let loaded = process.secrets.map { "\($0):/etc/latchkey/secrets/\($0)" }
        #expect(try Self.values("LoadCredential", of: unit).sorted() == loaded.sorted())
        let made = Set(Manifest.madeSecrets.map(\.name))
        let empty = process.secrets.subtracting(made).map { $0 + ":\\n" }
        #expect(try Self.values("SetCredential", of: unit).sorted() == empty.sorted())
        let environment = try Self.values("Environment", of: unit)
        #expect(environment.contains("REDIS_USER=\(process.name)") == (process.redis != nil))
        #expect(environment.contains("LATCHKEY_DATA_DIR=%S/latchkey/\(process.name)") == process.stores)
        // The gateway keeps the certificate that it has ordered.
        let keeps = process.stores || process.name == "gateway"
        #expect(try Self.values("StateDirectory", of: unit) == (keeps ? ["latchkey/\(process.name)"] : []))
        let condition = try Self.values("ExecCondition", of: unit)
        #expect(condition.isEmpty != process.isForDevelopers)
    }

    @Test func `Redis and what loads functions have one secret each`() throws {
        #expect(
            try Self.values("LoadCredential", of: "latchkey-redis.service") == [
                "redis_acl:/etc/latchkey/secrets/redis_acl"
            ])
        #expect(
            try Self.values("LoadCredential", of: "latchkey-functions.service") == [
                "redis_functions:/etc/latchkey/secrets/redis_functions"
            ])
    }

    @Test func `the copier has no right besides opening the databases and giving them their files`() throws {
        let own = "latchkey-copier.service.d/copier.conf"
        // The drop-ins of all units apply in the order of their names.
        #expect("copier.conf" > "confined.conf")
        for key in ["AmbientCapabilities", "CapabilityBoundingSet"] {
            #expect(try Self.values(key, of: own) == ["CAP_DAC_OVERRIDE CAP_CHOWN"])
        }
        #expect(
            try Self.values("ReadWritePaths", of: "latchkey-copier.service") == [
                "-/var/lib/latchkey/token -/var/lib/latchkey/user"
            ])
        #expect(try Self.values("InaccessiblePaths", of: "latchkey-copier.service") == ["/etc/latchkey/secrets"])
    }

    @Test func `the operations ports differ, and the target starts all units but the console, and each has a user`()
        throws
    {
        let units = try FileManager.default.contentsOfDirectory(atPath: Self.folder).filter { $0.hasSuffix(".service") }
        let ports = try units.map { try Self.values("Environment", of: $0) }.joined().filter {
            $0.contains("OPS_LISTEN")
        }
        #expect(ports.count == Manifest.processes.count + 1 && Set(ports).count == ports.count)
        let wanted = try Self.values("Wants", of: "latchkey.target").joined(separator: " ").split(separator: " ").map(
            String.init)
        #expect(Set(wanted + ["latchkey-console.service"]) == Set(units + ["latchkey-gateway.socket"]))
        let users = try String(contentsOfFile: Self.folder + "sysusers.conf", encoding: .utf8)
        for unit in units { #expect(users.contains("\nu \(unit.dropLast(8)) - "), "\(unit)") }
    }

    @Test func `only the gateway, the sender of messages and the copier reach other hosts`() throws {
        let units = try FileManager.default.contentsOfDirectory(atPath: Self.folder).filter { $0.hasSuffix(".service") }
        let open = try units.filter { try !Self.values("IPAddressAllow", of: $0).isEmpty }
        #expect(open.sorted() == ["latchkey-copier.service", "latchkey-gateway.service", "latchkey-otp.service"])
        #expect(try Self.values("IPAddressDeny", of: "latchkey-.service.d/confined.conf") == ["any"])
    }
}
