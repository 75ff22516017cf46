import Configuration
import Glibc
import Passwords
import Policies
import ServiceKit
import ServiceLifecycle

/// The threads that hash passwords, as many as the machine and its memory allow.
struct HashingThreads: Service {
    private static let threadsMax = 4
    /// The least part of the memory that is left for everything else.
    private static let memoryDivisor = 2

    let policy: PasswordPolicy
    let hasher: PasswordHasher

    /// Settings: `PASSWORD_THREADS`, 1 to the number of cores, at most 4; default that many.
    ///
    /// - Throws: `SettingsError` for another number, or when so many hashes do not fit half of the memory that the process
    ///   has.
    init(_ settings: ProcessSettings, _ policy: PasswordPolicy) throws {
        let most = min(max(Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))), 1), Self.threadsMax)
        // Compose sets what nobody has set to nothing.
        let text = settings.reader.string(forKey: "password.threads").flatMap { $0.isEmpty ? nil : $0 }
        guard let count = text.map({ Int($0) }) ?? most, (1...Self.threadsMax).contains(count) else {
            throw SettingsError(
                "PASSWORD_THREADS", "'\(text ?? "")' is not allowed; allowed: 1 to \(Self.threadsMax)")
        }
        let needed = count * policy.cost.memoryKiB << 10
        guard needed <= (try Self.memoryBytes()) / Self.memoryDivisor else {
            throw SettingsError(
                "PASSWORD_THREADS",
                "\(count) hashes of \(policy.cost.memoryKiB) KiB are more than half of the memory there is; allowed: "
                    + "fewer threads, a lower passwords.argon2id.memoryKiB, or more memory")
        }
        self.policy = policy
        hasher = PasswordHasher(cost: policy.cost, threadCount: count)
    }

    /// Ends the threads with the process, once they have done what waits.
    func run() async throws {
        try? await gracefulShutdown()
        try await hasher.shutDown()
    }

    /// What the container has, or the machine.
    private static func memoryBytes() throws -> Int {
        let limit = try MemoryLimit.find(setting: nil)
        guard limit.source == .fallback else { return limit.bytes }
        return Int(sysconf(Int32(_SC_PHYS_PAGES))) * Int(sysconf(Int32(_SC_PAGESIZE)))
    }
}
