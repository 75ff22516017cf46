import Glibc
import Passwords
import Policies
import ServiceKit
import ServiceLifecycle
import Synchronization

/// The threads that hash passwords, as many as the machine and its memory allow.
struct HashingThreads: Service {
    private static let threadsMax = 4
    /// Hashes use at most the memory divided by this number.
    private static let memoryDivisor = 2
    /// The memory that everything else needs in addition to a hash of another system: 64 MiB.
    private static let othersBytes = 64 << 20

    /// The pause between two checks whether many sign-ins are over.
    private static let restPause: Duration = .seconds(2)

    let policy: PasswordPolicy
    let hasher: PasswordHasher

    /// - Throws: `SettingsError` for another number, or if so many hashes do not fit half of the memory of the process.
    init(_ settings: ProcessSettings, _ policy: PasswordPolicy) throws {
        let (count, memoryBytes) = try Self.check(settings, policy)
        self.policy = policy
        hasher = PasswordHasher(
            cost: policy.cost, threadCount: count,
            memoryKiBMax: Self.foreignMemoryKiBMax(beside: count, policy.cost, in: memoryBytes))
    }

    /// Returns the number of threads and the bytes of memory, and throws the errors of `init`.
    @discardableResult
    static func check(
        _ settings: ProcessSettings, _ policy: PasswordPolicy
    ) throws -> (count: Int, memoryBytes: Int) {
        let count = try count(
            settings.variable("PASSWORD_THREADS"), cores: Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
        let memoryBytes = try memoryBytes()
        try requireRoom(for: count, policy.cost, in: memoryBytes)
        return (count, memoryBytes)
    }

    /// Releases the memory that many sign-ins have left. When the process exits, the threads finish the hashes that wait.
    func run() async throws {
        let rest = Mutex(Rest())
        await repeatUntilShutdown(every: Self.restPause) { [hasher] in
            guard rest.withLock({ $0.isDue(hashCount: hasher.hashCount) }) else { return }
            SpareMemory.releaseHeap()
        }
        try await hasher.shutDown()
    }

    /// Decides when the memory that many sign-ins have left is released: once they are over.
    struct Rest {
        /// The fewest hashes that leave enough memory to release.
        static let hashesMin = 64

        private var released = 0
        private var seen = 0

        /// Whether to release memory in this round: enough was hashed since the last release, and nothing since the last round.
        mutating func isDue(hashCount: Int) -> Bool {
            defer { seen = hashCount }
            guard hashCount == seen, hashCount &- released >= Self.hashesMin else { return false }
            released = hashCount
            return true
        }
    }

    /// The number of threads in `setting`, or the number of cores, at most 4, if the setting is missing.
    static func count(_ setting: String?, cores: Int) throws(SettingsError) -> Int {
        guard let setting, !setting.isEmpty else { return min(max(cores, 1), threadsMax) }
        try SettingsError.require(setting, for: "PASSWORD_THREADS")
        return Int(setting) ?? 1
    }

    static func requireRoom(for count: Int, _ cost: PasswordCost, in memoryBytes: Int) throws(SettingsError) {
        guard count * cost.memoryKiB << 10 <= memoryBytes / memoryDivisor else {
            throw SettingsError(
                "PASSWORD_THREADS",
                "\(count) hashes of \(cost.memoryKiB) KiB at once need more than half of the memory. Use fewer threads, a lower "
                    + "passwords.argon2id.memoryKiB in the policy, or more memory.")
        }
    }

    /// The KiB of memory that remain for a hash of another system; at least as much as one of user-service's own hashes uses.
    static func foreignMemoryKiBMax(beside count: Int, _ cost: PasswordCost, in memoryBytes: Int) -> Int {
        max((memoryBytes - othersBytes) >> 10 - count * cost.memoryKiB, cost.memoryKiB)
    }

    /// The memory of the container, or of the machine, in bytes.
    private static func memoryBytes() throws -> Int {
        let limit = try MemoryLimit.find(setting: nil)
        guard limit.source == .fallback else { return limit.bytes }
        return Int(sysconf(Int32(_SC_PHYS_PAGES))) * Int(sysconf(Int32(_SC_PAGESIZE)))
    }
}
