import Foundation

/// The profiles of a device's users, and which of them is in use. It has names that mean nothing, and no tokens.
struct AccountList: Codable, Sendable, Equatable {
    private(set) var profiles: [String]
    private(set) var current: String

    init(first: String) { (profiles, current) = ([first], first) }

    mutating func add(_ profile: String) {
        if !profiles.contains(profile) { profiles.append(profile) }
        current = profile
    }

    /// Makes a profile the current one. A profile that is not in the list changes nothing.
    mutating func select(_ profile: String) { if profiles.contains(profile) { current = profile } }

    /// Removes a profile. The last one stays, for the next user.
    mutating func remove(_ profile: String) {
        guard profiles.count > 1 else { return }
        profiles.removeAll { $0 == profile }
        if current == profile { current = profiles[0] }
    }
}

extension AccountList {
    /// Reads a list, or returns a new one if there is none.
    init(_ file: URL, first: String) throws(StoreFailure) {
        do {
            self = try JSONDecoder().decode(Self.self, from: Data(contentsOf: file))
            if profiles.isEmpty { self.init(first: first) }
        } catch CocoaError.fileReadNoSuchFile {
            self.init(first: first)
        } catch is DecodingError {
            self.init(first: first)
        } catch {
            throw StoreFailure(.unreadable)
        }
    }

    /// Writes the list without a protection class, since it is read before the first unlock of a device.
    func write(to file: URL) throws(StoreFailure) {
        do {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            try JSONEncoder().encode(self).write(to: file, options: [.atomic, .noFileProtection])
            // The sessions are in no backup either.
            var (place, values) = (file, URLResourceValues())
            values.isExcludedFromBackup = true
            try place.setResourceValues(values)
        } catch {
            throw StoreFailure(.unwritable)
        }
    }
}
