import Configuration
import Glibc
import Passwords
import Policies
import ServiceKit
import ServiceLifecycle
import Synchronization

/// The threads that hash passwords, as many as the machine and its memory allow.
struct HashingThreads: Service {
    private static let threadsMax = 4
    /// The least part of the memory that is left for everything else.
    private static let memoryDivisor = 2
    /// What everything else needs beside a hash of another system: 64 MiB.
    private static let othersBytes = 64 << 20

    /// Between two looks at whether many logins have ended.
    private static let restPause: Duration = .seconds(2)

    let policy: PasswordPolicy
    let hasher: PasswordHasher

    /// Settings: `PASSWORD_THREADS`, 1 to the number of cores, at most 4; default that many.
    ///
    /// - Throws: `SettingsError` for another number, or when so many hashes do not fit half of the memory that the process
    ///   has.
    init(_ settings: ProcessSettings, _ policy: PasswordPolicy) throws {
        let (count, memoryBytes) = try Self.check(settings, policy)
        self.policy = policy
        hasher = PasswordHasher(
            cost: policy.cost, threadCount: count,
            memoryKiBMax: Self.foreignMemoryKiBMax(beside: count, policy.cost, in: memoryBytes))
    }

    /// Reads how many threads there are and how many bytes they have, as `init` says.
    @discardableResult
    static func check(
        _ settings: ProcessSettings, _ policy: PasswordPolicy
    ) throws -> (count: Int, memoryBytes: Int) {
        let count = try count(
            settings.text("password.threads"), cores: Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
        let memoryBytes = try memoryBytes()
        try requireRoom(for: count, policy.cost, in: memoryBytes)
        return (count, memoryBytes)
    }

    /// Gives back what a flood of logins has left, and ends the threads with the process, once they have done what waits.
    func run() async throws {
        let rest = Mutex(Rest())
        await repeatUntilShutdown(every: Self.restPause) { [hasher] in
            guard rest.withLock({ $0.isDue(hashCount: hasher.hashCount) }) else { return }
            SpareMemory.releaseHeap()
            SpareMemory.releaseCode()
        }
        try await hasher.shutDown()
    }

    /// When the memory that many logins have left is given back: once they have ended.
    struct Rest {
        /// Fewer leave too little to look for.
        static let hashesMin = 64

        private var released = 0
        private var seen = 0

        /// Whether it is time, asked in rounds: enough was hashed since the last time, and nothing since the last round.
        mutating func isDue(hashCount: Int) -> Bool {
            defer { seen = hashCount }
            guard hashCount == seen, hashCount &- released >= Self.hashesMin else { return false }
            released = hashCount
            return true
        }
    }

    /// How many `setting` asks for; as many as there are cores, at most 4, where it is missing.
    static func count(_ setting: String?, cores: Int) throws(SettingsError) -> Int {
        // Compose sets what nobody has set to nothing.
        guard let setting, !setting.isEmpty else { return min(max(cores, 1), threadsMax) }
        guard let count = Int(setting), (1...threadsMax).contains(count) else {
            throw SettingsError.invalid("PASSWORD_THREADS", setting, use: "a number from 1 to \(threadsMax)")
        }
        return count
    }

    static func requireRoom(for count: Int, _ cost: PasswordCost, in memoryBytes: Int) throws(SettingsError) {
        guard count * cost.memoryKiB << 10 <= memoryBytes / memoryDivisor else {
            throw SettingsError(
                "PASSWORD_THREADS",
                "\(count) hashes of \(cost.memoryKiB) KiB at once need more than half of the memory. Use fewer threads, a lower "
                    + "passwords.argon2id.memoryKiB in the policy, or more memory.")
        }
    }

    /// KiB that are left for a hash of another system; as much as one of ours fills, at least.
    static func foreignMemoryKiBMax(beside count: Int, _ cost: PasswordCost, in memoryBytes: Int) -> Int {
        max((memoryBytes - othersBytes) >> 10 - count * cost.memoryKiB, cost.memoryKiB)
    }

    /// What the container has, or the machine.
    private static func memoryBytes() throws -> Int {
        let limit = try MemoryLimit.find(setting: nil)
        guard limit.source == .fallback else { return limit.bytes }
        return Int(sysconf(Int32(_SC_PHYS_PAGES))) * Int(sysconf(Int32(_SC_PAGESIZE)))
    }
}
