import CCurl
import Curl
import ServiceKit

/// A folder on an SFTP server.
///
/// SFTP's rename replaces no file. So a file is written as `NAME~part`, renamed to `NAME~new` once its size is right, and takes
/// the place of `NAME` after that was removed. Between these two steps `NAME~new` counts as `NAME`.
struct SFTPTarget: CopyTarget {
    private let address: SFTPAddress
    private let session: CurlSession

    private static let (partSuffix, newSuffix) = ("~part", "~new")
    private static let listingBytesMax = 64 << 20

    init(
        _ address: SFTPAddress, _ credentials: CopyCredentials, limits: TransferPace.Limits = .init()
    ) throws {
        guard let key = credentials.sftpKeyFile else {
            throw SettingsError.missing(
                "secret copy_sftp_key", because: "the copy goes to an SFTP server",
                use: "a file of that name with a private key without passphrase")
        }
        let pin = try Self.pin(credentials.sftpHostKey)
        self.address = address
        session = try CurlSession(limits: limits) { options in
            options.set(CURLOPT_PROTOCOLS_STR, "sftp")
            options.set(CURLOPT_USERNAME, address.user)
            options.set(CURLOPT_SSH_AUTH_TYPES, 1)  // CURLSSH_AUTH_PUBLICKEY
            options.set(CURLOPT_SSH_PRIVATE_KEYFILE, key)
            options.set(CURLOPT_SSH_HOST_PUBLIC_KEY_SHA256, pin)
            options.set(CURLOPT_NEW_FILE_PERMS, 0o600)
        }
    }

    /// The pinned key's SHA-256 in base64 without padding.
    private static func pin(_ text: String?) throws(SettingsError) -> String {
        let name = "LATCHKEY_COPY_SFTP_HOST_KEY"
        let use = "the server's fingerprint SHA256:…, as ssh-keygen -l prints it on the server"
        guard let text else {
            throw SettingsError.missing(name, because: "the copy goes to an SFTP server", use: use)
        }
        let start = "SHA256:"
        let digest = text.dropFirst(start.count).prefix { $0 != "=" }
        let isDigest = digest.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+/".contains($0)) }
        guard text.hasPrefix(start), digest.utf8.count == 43, isDigest else {
            throw SettingsError.invalid(name, text, use: use)
        }
        return String(digest)
    }

    // MARK: - Files

    func put(_ path: String, as name: String) async throws(CopyTargetFailure) {
        let place = try self.path(name)
        let (part, new) = (place + Self.partSuffix, place + Self.newSuffix)
        let bytes = try LocalFile.size(path)
        // A `NAME~new` without `NAME` is the file of a put that was interrupted.
        let repairs = ["*rename \"\(new)\" \"\(place)\"", "*rm \"\(new)\""]
        let upload = CurlRequest(url: url(part), action: .upload(path, bytes: bytes), commands: repairs)
        do throws(CopyTargetFailure) {
            do throws(CopyTargetFailure) { _ = try await perform(upload) } catch {
                guard error.reason == .missing, try await makeFolders(of: name) else { throw error }
                _ = try await perform(upload)
            }
            let stored = try await size(of: part)
            guard stored == bytes else {
                throw CopyTargetFailure(.unexpected, "the server stored \(stored) of \(bytes) bytes")
            }
        } catch {
            throw await isFull(for: bytes, after: error, part: part) ? Self.full : error
        }
        try await command("rename \"\(part)\" \"\(new)\"", "*rm \"\(place)\"", "rename \"\(new)\" \"\(place)\"")
    }

    func get(_ name: String, to path: String, bytesMax: Int) async throws(CopyTargetFailure) {
        let place = try self.path(name)
        do throws(CopyTargetFailure) { try await download(place, to: path, bytesMax) } catch {
            guard error.reason == .missing else { throw error }
            try await download(place + Self.newSuffix, to: path, bytesMax)
        }
    }

    func list(_ prefix: String) async throws(CopyTargetFailure) -> [CopyTargetFile] {
        try await FolderWalk.files(beginningWith: prefix) { folder async throws(CopyTargetFailure) in
            let path = folder.isEmpty ? address.path : "\(address.path)/\(folder)"
            let request = CurlRequest(url: url(path + "/"), action: .read(bytesMax: Self.listingBytesMax))
            return SFTPListing.entries(try await perform(request).body, newSuffix: Self.newSuffix)
        }
    }

    func remove(_ names: [String]) async throws(CopyTargetFailure) {
        for name in names {
            for path in [try path(name), try path(name) + Self.newSuffix] {
                do throws(CopyTargetFailure) { try await command("rm \"\(path)\"") } catch {
                    // The server's refusal does not state whether the file exists.
                    do throws(CopyTargetFailure) { _ = try await size(of: path) } catch {
                        guard error.reason == .missing else { throw error }
                        continue
                    }
                    throw error
                }
            }
        }
    }
}

// MARK: - Requests

extension SFTPTarget {
    private static var full: CopyTargetFailure { CopyTargetFailure(.full, "the server's disk has no room") }

    private func path(_ name: String) throws(CopyTargetFailure) -> String {
        "\(address.path)/\(try CopyTargetFile.checked(name))"
    }

    private func url(_ path: String) -> String { "sftp://\(address.host):\(address.port)\(path)" }

    private func perform(_ request: CurlRequest) async throws(CopyTargetFailure) -> CurlOutcome {
        let outcome = try await session.perform(request)
        if let failure = outcome.failure(ofHostKey: "LATCHKEY_COPY_SFTP_HOST_KEY") { throw failure }
        return outcome
    }

    private func size(of path: String) async throws(CopyTargetFailure) -> Int {
        // libcurl knows no size of an empty file.
        max(0, try await perform(CurlRequest(url: url(path), action: .size)).size)
    }

    private func download(_ place: String, to path: String, _ bytesMax: Int) async throws(CopyTargetFailure) {
        try await LocalFile.receive(path) { () throws(CopyTargetFailure) in
            _ = try await perform(CurlRequest(url: url(place), action: .download(to: path, bytesMax: bytesMax)))
        }
    }

    /// Runs SFTP commands one after the other until one fails. A failure of a command with a star is ignored.
    private func command(_ commands: String...) async throws(CopyTargetFailure) {
        _ = try await perform(CurlRequest(url: url(address.path + "/"), action: .size, commands: commands))
    }

    /// Makes the folders that a name needs below the target's own, which must exist.
    ///
    /// - Returns: `false` if it needs none.
    private func makeFolders(of name: String) async throws(CopyTargetFailure) -> Bool {
        var (path, commands) = (address.path, [String]())
        for part in name.split(separator: "/").dropLast() {
            path += "/\(part)"
            commands.append("*mkdir \"\(path)\"")
        }
        guard !commands.isEmpty else { return false }
        _ = try await perform(CurlRequest(url: url(address.path + "/"), action: .size, commands: commands))
        return true
    }

    /// Whether a file was not stored because the disk is full: SFTP has no code for that. Removes the part that was stored.
    private func isFull(for bytes: Int, after failure: CopyTargetFailure, part: String) async -> Bool {
        guard [.unexpected, .unreachable].contains(failure.reason), !Task.isCancelled else { return false }
        let commands = ["statvfs \"\(address.path)\"", "*rm \"\(part)\""]
        let request = CurlRequest(url: url(address.path + "/"), action: .size, commands: commands)
        do throws(CopyTargetFailure) {
            let lines = try await perform(request).lines
            func value(_ name: String) -> Int? {
                lines.first { $0.hasPrefix(name + ": ") }.flatMap { Int($0.dropFirst(name.count + 2)) }
            }
            guard let blocks = value("f_bavail"), let size = value("f_frsize") else { return false }
            return blocks.multipliedReportingOverflow(by: size).partialValue < bytes
        } catch { return false }
    }
}

/// Reads an SFTP server's listing of a folder, which has the form of `ls -l`.
enum SFTPListing {
    /// Returns the entries; a line of another form is skipped.
    static func entries(_ listing: [UInt8], newSuffix: String) -> [FolderWalk.Entry] {
        let entries = listing.split(separator: UInt8(ascii: "\n")).compactMap { line in entry(line, newSuffix) }
        // The file of an interrupted put counts only if its predecessor is gone.
        let names = Set(entries.compactMap { $0.isNew ? nil : $0.entry.name })
        return entries.filter { !$0.isNew || !names.contains($0.entry.name) }.map(\.entry)
    }

    /// Reads `-rw------- 1 user group 3000000 Nov 30 07:35 name`. The user and the group may contain spaces.
    private static func entry(_ line: ArraySlice<UInt8>, _ newSuffix: String) -> (entry: FolderWalk.Entry, isNew: Bool)?
    {
        let words = line.split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
        guard words.count >= 9, let full = words.last, words[words.count - 4].first?.isLetter ?? false else {
            return nil
        }
        let isNew = full.hasSuffix(newSuffix)
        let name = isNew ? String(full.dropLast(newSuffix.count)) : full
        switch words[0].first {
        case "d": return (.folder(name), false)
        case "-": return Int(words[words.count - 5]).map { (.file(name, bytes: $0), isNew) }
        default: return nil
        }
    }
}

extension FolderWalk.Entry {
    fileprivate var name: String {
        switch self {
        case .file(let name, _), .folder(let name): name
        }
    }
}
