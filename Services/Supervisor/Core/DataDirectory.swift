import RedisClient

/// The files and folders of the data directory, which is made with access only for its owner.
package struct DataDirectory: Sendable, Equatable {
    package let path: String

    package init(_ path: String) { self.path = path }

    package var secrets: String { path + "/secrets" }
    package var redis: String { path + "/redis" }
    package var redisConfiguration: String { redis + "/redis.conf" }
    package var redisACL: String { redis + "/users.acl" }
    package var lock: String { path + "/run/supervisor.pid" }
    /// `tls`: the folder of this machine's own authority, for development.
    var tls: String { path + "/tls" }
    /// `tls/ca.crt`: the certificate of the authority, which people install as trusted on devices.
    package var tlsAuthority: String { tls + "/ca.crt" }
    /// `tls/pairs`: the gateway's certificates from the authority, `LATCHKEY_TLS_DIR`.
    var tlsPairs: String { tls + "/pairs" }
    var run: String { path + "/run" }
    var logs: String { path + "/log" }

    /// The folders that every stack has.
    var folders: [String] { [path, secrets, redis, run, logs] }

    /// `run/<process>.pid`: its process id.
    package func pidFile(_ process: String) -> String { run + "/\(process).pid" }
    /// `run/<process>.started`: the time when the process of the pid file was started. It tells this process from others that
    /// get the same process id later.
    func startFile(_ process: String) -> String { run + "/\(process).started" }
    /// `run/binaries`: the folder of the executables.
    package var binariesFile: String { run + "/binaries" }
    /// `run/variables`: the settings that `deploy/ctl` passes to latchkeyctl, one `NAME=value` a line.
    var variablesFile: String { run + "/variables" }
    /// `run/<process>.ops`: the port number of its operations port.
    package func opsFile(_ process: String) -> String { run + "/\(process).ops" }
    /// `operations-ports`: the operations port of each process. It is outside of `run`, which each start empties.
    var operationsPorts: String { path + "/operations-ports" }
    /// `run/<process>.port`: the port number of its service port.
    package func portFile(_ process: String) -> String { run + "/\(process).port" }
    /// `run/redis.sock`: the socket file at which Redis listens in addition to its port; `nil` if the path would be too long
    /// for one.
    package var redisSocket: String? {
        let path = run + "/redis.sock"
        return path.utf8.count <= RedisAddress.pathBytesMax ? path : nil
    }
    /// `run/fakes`: the folder to which the fakes write.
    package var fakes: String { run + "/fakes" }
    /// `run/fakes/smtp.pem`: the certificate of the fake mail server.
    package var fakeCertificate: String { fakes + "/smtp.pem" }
    /// The stack's key at the fake of Apple. It is no secret of the stack, which may run without fakes later.
    package var fakeAppleKey: String { fakes + "/apple.p8" }
    /// `log/<process>.log`: the output of the process on its standard output and error.
    package func logFile(_ process: String) -> String { logs + "/\(process).log" }

    /// Makes the folders that are missing, mode 0700.
    package func create() throws(StartFailure) {
        for folder in folders { try StateFile.makeDirectory(folder) }
    }
}
