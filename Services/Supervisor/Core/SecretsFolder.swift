import Glibc
import PrivateFiles

/// A folder of secret files, one for each secret. Nothing in it is ever overwritten.
package struct SecretsFolder: Sendable {
    package let path: String

    package init(_ path: String) { self.path = path }

    /// Makes the folder and those above it, mode 0700, if they do not exist.
    package func create() throws(StartFailure) { try StateFile.makeDirectory(path, setting: nil) }

    /// Whether other users of this host can enter the folder.
    package var isOpenToOthers: Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & 0o077 != 0
    }

    /// Returns the secrets of `wanted` that have no file.
    package func missing(_ wanted: [MadeSecret]) -> [MadeSecret] {
        wanted.filter { !isTaken($0.name) }
    }

    /// Makes the secrets of `wanted` that have no file, and returns those that it made.
    ///
    /// - Parameters:
    ///   - mode: The permissions of the new files.
    ///   - random: Returns the given number of random bytes.
    package func complete(
        _ wanted: [MadeSecret], mode: UInt32 = 0o600, random: (Int) -> [UInt8]
    ) throws(StartFailure) -> [MadeSecret] {
        var made: [MadeSecret] = []
        do {
            for secret in missing(wanted) {
                let text = Array(secret.text(random).utf8)
                if try PrivateFile.writeIfAbsent(text, to: file(secret.name), mode: mode) { made.append(secret) }
            }
        } catch {
            throw StartFailure(error.description)
        }
        return made
    }

    /// Reads the passwords of Redis' accounts, by account.
    package func redisPasswords() throws(StartFailure) -> [String: String] {
        var passwords: [String: String] = [:]
        for user in Manifest.redisUsers {
            let path = file("redis_" + user.name)
            do { passwords[user.name] = try SecretText(path: path).line() } catch {
                throw StartFailure("the file \(path) \(error). It needs a password on one line.")
            }
        }
        return passwords
    }

    /// Writes Redis' accounts, which follow from their passwords.
    ///
    /// - Returns: `false` if the file has them already.
    package func writeRedisACL(mode: UInt32) throws(StartFailure) -> Bool {
        let text = RedisACL.text(passwords: try redisPasswords())
        let path = file("redis_acl")
        guard StateFile.read(path) != text else { return false }
        try StateFile.write(text, to: path)
        guard unsafe chmod(path, mode) == 0 else { throw .system("change the mode of \(path)", error: errno) }
        return true
    }

    private func file(_ name: String) -> String { path + "/" + name }

    /// Whether the name exists, even as a link without a target.
    private func isTaken(_ name: String) -> Bool {
        var status = stat()
        return unsafe lstat(file(name), &status) == 0
    }
}
