import Glibc

/// Starts processes that stop with the supervisor, have none of its descriptors and get no signals from its terminal.
enum SpawnedProcess {
    /// The tool that makes the kernel stop the process when its parent dies, even by SIGKILL; part of Debian's base system.
    private static let deathSignalTool = "/usr/bin/setpriv"
    /// The descriptor of the first socket that a process is passed (systemd's protocol).
    private static let firstPassedSocket: Int32 = 3

    /// Starts `spec` with its output appended to `log`.
    ///
    /// - Parameter publicSockets: The sockets that become descriptors 3, 4 … of a process that accepts from them.
    static func start(_ spec: ProcessSpec, log: String, publicSockets: [Int32]) throws(StartFailure) -> pid_t {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        unsafe posix_spawn_file_actions_addopen(&actions, 1, log, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        unsafe posix_spawn_file_actions_adddup2(&actions, 1, 2)
        for (index, socket) in publicSockets.enumerated() where spec.takesPublicSockets {
            // The copy stays open on exec; the original, like all descriptors of the supervisor, does not.
            unsafe posix_spawn_file_actions_adddup2(&actions, socket, firstPassedSocket + Int32(index))
        }
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        isolate(&attributes)
        return unsafe try spawn(command(spec), spec.environment, &actions, &attributes)
    }

    private static func command(_ spec: ProcessSpec) -> [String] {
        let command = [spec.executable] + spec.arguments
        let hasTool = unsafe access(deathSignalTool, X_OK) == 0
        return hasTool ? [deathSignalTool, "--pdeathsig", "TERM"] + command : command
    }

    /// Sets a process group of its own, no blocked signals, and default handlers.
    private static func isolate(_ attributes: inout posix_spawnattr_t) {
        var none = sigset_t()
        unsafe sigemptyset(&none)
        var all = sigset_t()
        unsafe sigfillset(&all)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        unsafe posix_spawnattr_setsigdefault(&attributes, &all)
        unsafe posix_spawnattr_setpgroup(&attributes, 0)
        let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP
        unsafe posix_spawnattr_setflags(&attributes, Int16(truncatingIfNeeded: flags))
    }

    private static func spawn(
        _ command: [String], _ environment: [String: String], _ actions: inout posix_spawn_file_actions_t,
        _ attributes: inout posix_spawnattr_t
    ) throws(StartFailure) -> pid_t {
        var arguments = unsafe command.map { unsafe strdup($0) } + [nil]
        var variables = unsafe environment.map { unsafe strdup("\($0)=\($1)") } + [nil]
        defer {
            for index in unsafe arguments.indices { unsafe free(arguments[index]) }
            for index in unsafe variables.indices { unsafe free(variables[index]) }
        }
        var process: pid_t = 0
        let path = command.first ?? ""
        let result = unsafe posix_spawn(&process, path, &actions, &attributes, &arguments, &variables)
        guard result == 0 else { throw .system("start \(path)", error: result) }
        return process
    }
}
