import CryptoPrimitives
import FoundationEssentials
import Policies
import PrivateFiles
import ServiceKit
import SupervisorCore

/// The files of a deployment by the Debian package.
struct SetupFiles: Sendable {
    /// The socket file of `latchkey-redis`.
    static let redisSocket = "/run/latchkey-redis/redis.sock"
    private static let redisData = "/var/lib/latchkey/redis"
    /// Where systemd puts the accounts for `latchkey-redis`.
    private static let redisACL = "/run/credentials/latchkey-redis.service/redis_acl"
    private static let bytesMax = 1 << 20

    let folder: String

    var settings: String { folder + "/latchkey.env" }
    var policies: String { folder + "/policies" }
    var secrets: String { folder + "/secrets" }
    private var ownPolicy: String { "\(policies)/\(SetupAnswers.ownPolicy).yaml" }
    private var redis: String { folder + "/redis.conf" }

    /// Returns the lines of the file of settings, or `nil` if there is none.
    func keptSettings() throws -> [SetupSetting]? {
        guard PrivateFile.exists(settings) else { return nil }
        return try text(settings).split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
            guard let setting = SetupSetting(line) else {
                throw CommandFailure(
                    description: "\(settings): use NAME=VALUE on each line, without quotes, \\, ` and $: \(line)")
            }
            return setting
        }
    }

    /// Writes what is missing, the settings last, and returns the paths of the new files.
    func write(_ answers: SetupAnswers) throws -> [String] {
        var made: [String] = []
        if answers.hasOwnPolicy {
            let starter = try text("\(policies)/\(Policy.defaultName).yaml")
            if try write(try answers.policy(from: starter), to: ownPolicy, mode: 0o644) { made.append(ownPolicy) }
        }
        let configuration = RedisConfigurationFile.text(
            port: 0, socket: Self.redisSocket, socketMode: "770", directory: Self.redisData, aclFile: Self.redisACL)
        if try write(configuration, to: redis, mode: 0o644) { made.append(redis) }
        let lines = answers.settings(policies: policies).map(\.line).joined(separator: "\n")
        let head = "# Settings of all processes, NAME=VALUE on each line. latchkeyctl setup checks them.\n"
        if try write("\(head)\(lines)\n", to: settings, mode: 0o600) { made.append(settings) }
        return made
    }

    /// Makes the missing secrets, and Redis' accounts, which follow from them; returns the names of the new ones.
    func makeSecrets() throws -> [String] {
        let folder = SecretsFolder(secrets)
        do {
            try folder.create()
            try FileAccess.requireOwn(secrets, setting: "folder", in: .production)
            let made = try folder.complete(Manifest.madeSecrets, random: SecureRandom.bytes).map(\.name)
            return made + (try folder.writeRedisACL(mode: 0o600) ? ["redis_acl"] : [])
        } catch let failure as StartFailure {
            throw CommandFailure(description: failure.description)
        }
    }

    private func write(_ text: String, to path: String, mode: UInt32) throws -> Bool {
        do throws(FileFailure) { return try PrivateFile.writeIfAbsent(Array(text.utf8), to: path, mode: mode) } catch {
            throw CommandFailure(description: error.description)
        }
    }

    private func text(_ path: String) throws -> String {
        do throws(FileFailure) {
            return String(decoding: try PrivateFile.bytes(path, max: Self.bytesMax), as: UTF8.self)
        } catch {
            throw CommandFailure(description: error.description)
        }
    }
}
