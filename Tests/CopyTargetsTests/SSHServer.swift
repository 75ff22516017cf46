import Foundation
import Glibc
import TestSupport
import Testing

@testable import CopyTargets

/// A real `sshd` on the loopback, for SFTP only, with keys of its own.
struct SSHServer {
    private static let program = "/usr/sbin/sshd"
    /// Why a test is left out.
    static let absence: Comment = "SKIPPED: openssh-server is missing (apt-get install openssh-server)"
    static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: program) }

    let port: Int
    /// The folder with keys and configuration.
    let folder: String
    /// The fingerprint of its host key.
    let fingerprint: String
    let process: BoundProcess

    /// Runs `body` with a server, which is gone on every way out.
    static func with<Value>(in scratch: String, _ body: (SSHServer) async throws -> Value) async throws -> Value {
        let server = try await start(in: scratch)
        do {
            let value = try await body(server)
            try await server.process.kill()
            return value
        } catch {
            try await server.process.kill()
            throw error
        }
    }

    private static func start(in scratch: String) async throws -> SSHServer {
        let (port, folder) = (try await FreePort.find(), "\(scratch)/ssh")
        let script = """
            set -e; mkdir -p '\(folder)' /run/sshd; cd '\(folder)'; chmod 700 .
            for key in host other user stranger; do [ -e $key ] || ssh-keygen -q -t ed25519 -N '' -f $key; done
            cp user.pub authorized
            printf '%s\\n' 'Port \(port)' 'ListenAddress 127.0.0.1' 'HostKey \(folder)/host' \\
                'AuthorizedKeysFile \(folder)/authorized' 'PasswordAuthentication no' 'StrictModes no' 'UsePAM no' \\
                'PidFile none' 'Subsystem sftp internal-sftp' 'ForceCommand internal-sftp' > conf
            ssh-keygen -l -f host.pub | cut -d' ' -f2
            """
        let outcome = try await Shell.run(script, in: scratch)
        try #require(outcome.isSuccess, "\(outcome.output)")
        let process = try await BoundProcess([program, "-D", "-f", "\(folder)/conf", "-E", "\(folder)/log"])
        try await eventually("sshd listens") {
            (FileManager.default.contents(atPath: "\(folder)/log") ?? Data()).contains(Data("listening".utf8))
        }
        let fingerprint = outcome.output.trimmingCharacters(in: .whitespacesAndNewlines)
        return SSHServer(port: port, folder: folder, fingerprint: fingerprint, process: process)
    }

    /// Opens a folder on the server.
    ///
    /// - Parameters:
    ///   - port: That of a proxy before the server.
    ///   - key: `user`, or another key in the server's folder.
    func target(
        _ path: String, port: Int? = nil, key: String = "user", pin: String? = nil,
        limits: TransferPace.Limits = .init()
    ) throws -> SFTPTarget {
        let credentials = CopyCredentials(
            s3: nil, sftpKeyFile: "\(folder)/\(key)", sftpHostKey: pin ?? fingerprint)
        let name = unsafe getpwuid(geteuid()).map { unsafe String(cString: $0.pointee.pw_name) } ?? ""
        guard case .sftp(let address) = try CopyTargetAddress("sftp://\(name)@127.0.0.1:\(port ?? self.port)\(path)")
        else {
            throw CopyTargetAddressError("no SFTP address")
        }
        return try SFTPTarget(address, credentials, limits: limits)
    }

    /// The fingerprint of another key.
    func fingerprint(of key: String) async throws -> String {
        try await Shell.run("ssh-keygen -l -f \(key).pub | cut -d' ' -f2 | tr -d '\\n'", in: folder).output
    }
}
