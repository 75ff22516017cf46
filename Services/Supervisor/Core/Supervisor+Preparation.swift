import CryptoPrimitives
import Glibc
import PrivateFiles
import SettingNames

extension Supervisor {
    /// Prepares a stack: locks the data directory, stops leftovers, makes missing files and reserves the ports.
    ///
    /// - Parameters:
    ///   - variables: The environment (see `SupervisorSettings`).
    ///   - binaries: The folder of the executables.
    ///   - stopsWithParent: Whether the stack stops when the process that started this one exits.
    ///   - note: Receives warnings.
    package static func prepare(
        variables: [String: String], workingDirectory: String, binaries: String, stopsWithParent: Bool,
        note: (String) -> Void = { _ in }
    ) throws(StartFailure) -> Supervisor {
        let signals = StopSignals()
        umask(0o077)
        closeOnExec()
        for variable in UnknownVariable.all(in: variables.keys) { note("warning: \(variable)") }
        let settings = try SupervisorSettings(environment: variables, workingDirectory: workingDirectory)
        let data = DataDirectory(settings.dataDirectory)
        // This must run before any code has read a secret.
        if settings.environment == .production { ProcessPrivacy.refuseReaders() }
        let redisServer = try ExecutableSearch.redisServer(in: variables["PATH"])
        try data.create()
        try requireOwn(data.folders + (settings.tlsDirectory.map { [$0] } ?? []), settings.environment, note)
        let lock = try SupervisorLock(data.lock)
        try Leftovers.end(in: data, grace: stopLimit)
        try DevelopmentSecrets.complete(
            in: data.secrets, environment: settings.environment, random: SecureRandom.bytes)
        if settings.usesFakes {
            try DevelopmentSecrets.completeForFakes(in: data.secrets, random: SecureRandom.bytes)
            try StateFile.makeDirectory(data.fakes)
            // The fakes write it later; otp-service, which starts at the same time, requires the file to exist.
            try StateFile.write("", to: data.fakeCertificate)
            try DevelopmentSecrets.makeKeyForFakeApple(at: data.fakeAppleKey)
        }
        let publicSockets = try PublicSockets.open(settings)
        var ports = try PortBlock()
        var operations = OperationsPorts(parsing: StateFile.read(data.operationsPorts))
        let kept = operations
        let phonesAddress = try phonesAddress(settings)
        if settings.wantsOwnAuthority {
            try DevelopmentAuthority.complete(in: data, address: phonesAddress ?? PrivateNetwork.address())
        }
        let plan = try StackPlan.make(
            settings, phonesAddress: phonesAddress,
            gatewayPort: LoopbackSocket.port(of: publicSockets.plain) ?? settings.port,
            tlsPort: publicSockets.tlsPort, binaries: binaries,
            redisServer: redisServer, inherited: variables,
            opsPort: { (name: String) throws(StartFailure) -> UInt16 in
                try operations.take(
                    name, isFree: isFree, next: { () throws(StartFailure) in try ports.take(besides: kept) }, note: note
                )
            },
            nextPort: { () throws(StartFailure) in try ports.take(besides: kept) })
        try StateFile.write(operations.text, to: data.operationsPorts)
        try requirePrograms(of: plan, in: binaries)
        try requireFree(plan.inboxPort, "LATCHKEY_INBOX_PORT")
        try requireFree(plan.redisPort, "LATCHKEY_REDIS_PORT")
        try writeFiles(of: plan, data)
        try StateFile.write("\(binaries)\n", to: data.binariesFile)
        try StateFile.write(plan.variablesForControl, to: data.variablesFile)
        return Supervisor(
            plan, data: data, publicSockets: publicSockets, lock: lock, ports: ports, signals: signals,
            parent: stopsWithParent ? getppid() : nil)
    }

    /// Refuses folders if other users of this host can replace them or the files in them.
    private static func requireOwn(
        _ folders: [String], _ environment: SupervisorSettings.Environment, _ note: (String) -> Void
    ) throws(StartFailure) {
        var known: Set<String> = []
        for exposure in folders.flatMap({ PathAccess.exposures(of: $0) })
        where known.insert(exposure.description).inserted {
            guard exposure.isForProductionOnly, environment != .production else {
                throw StartFailure(exposure.description)
            }
            note("warning: \(exposure)")
        }
    }

    private static func phonesAddress(_ settings: SupervisorSettings) throws(StartFailure) -> String? {
        guard settings.isForPhones else { return nil }
        guard let address = PrivateNetwork.address() else {
            throw StartFailure(
                "LATCHKEY_BIND: this machine is in no private network (10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16) in which "
                    + "phones could reach it. Join one, or unset LATCHKEY_BIND.")
        }
        return address
    }

    /// Keeps inherited descriptors from the children.
    private static func closeOnExec() {
        for descriptor in 3..<Int32(1024) { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    }

    /// Refuses a folder that lacks the executables of the plan.
    private static func requirePrograms(of plan: StackPlan, in folder: String) throws(StartFailure) {
        let programs = Set(plan.processes.map(\.executable)).filter { unsafe access($0, X_OK) != 0 }
        guard !programs.isEmpty else { return }
        let names = programs.compactMap { $0.split(separator: "/").last }.sorted().joined(separator: ", ")
        throw StartFailure(
            "the folder \(folder), in which the supervisor is, does not contain \(names). Unset LATCHKEY_BIN_DIR, so that "
                + "deploy/run builds all programs, or put them there.")
    }

    private static func requireFree(_ port: UInt16?, _ variable: String) throws(StartFailure) {
        guard let port else { return }
        guard isFree(port) else { throw .portTaken(port, variable) }
    }

    private static func isFree(_ port: UInt16) -> Bool {
        guard let socket = LoopbackSocket.bind(port) else { return false }
        close(socket)
        return true
    }

    /// Writes Redis' files, and the ports by which tests and operators find each process.
    private static func writeFiles(of plan: StackPlan, _ data: DataDirectory) throws(StartFailure) {
        let passwords = try SecretsFolder(data.secrets).redisPasswords()
        try StateFile.write(RedisACL.text(passwords: passwords), to: data.redisACL)
        try StateFile.write(
            RedisConfigurationFile.text(
                port: plan.redisPort, socket: data.redisSocket, directory: data.redis, aclFile: data.redisACL,
                log: data.logFile("redis"), memoryMegabytes: plan.redisMemoryMegabytes),
            to: data.redisConfiguration)
        for process in plan.processes where process.life == .lasting {
            try StateFile.write("\(process.servicePort)\n", to: data.portFile(process.name))
            if let ops = process.opsPort { try StateFile.write("\(ops)\n", to: data.opsFile(process.name)) }
        }
    }
}
