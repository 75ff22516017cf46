import Foundation

/// The files beside the Keychain: the marker of the installation, and a probe of the protection class.
///
/// The system removes them with the app, and they are in no backup: a session from a backup has old tokens.
struct InstallationFiles: Sendable {
    /// The folders that can hold the marker. The first one is written; an earlier release may have used another.
    let folders: [URL]
    /// The protection class of the session, as part of the probe's name.
    let protection: Data.WritingOptions
    private static let marker = "installation"

    /// The marker in the first folder that has one.
    var state: InstallationMarker {
        var isHidden = folders.isEmpty
        for folder in folders {
            switch Self.read(folder.appending(path: Self.marker)) {
            case .present: return .present
            case .absent: break
            case .hidden: isHidden = true
            }
        }
        return isHidden ? .hidden : .absent
    }

    /// Writes the marker, without protection: it must be readable before the first unlock.
    func mark() throws(StoreFailure) {
        guard let folder = folders.first else { throw StoreFailure(.unwritable) }
        do {
            try Self.write(Self.marker, in: folder, .noFileProtection)
        } catch {
            throw StoreFailure(.unwritable)
        }
    }

    /// Whether the device is unlocked as far as the session's protection class needs it.
    ///
    /// A file of the same class shows it, in extensions too, on any thread, and at once. It is created if it is missing,
    /// which the system refuses while the class is locked.
    var isUnlocked: Bool {
        guard let folder = folders.first else { return false }
        let name = protection == .completeFileProtection ? "probe-unlocked" : "probe-first-unlock"
        switch Self.read(folder.appending(path: name)) {
        case .present: return true
        case .hidden: return false
        case .absent:
            do {
                try Self.write(name, in: folder, protection)
                return true
            } catch {
                return false
            }
        }
    }

    private static func read(_ file: URL) -> InstallationMarker {
        do {
            return try Data(contentsOf: file).isEmpty ? .absent : .present
        } catch CocoaError.fileReadNoSuchFile {
            return .absent
        } catch {
            return .hidden
        }
    }

    private static func write(_ name: String, in folder: URL, _ protection: Data.WritingOptions) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var file = folder.appending(path: name)
        try Data("latchkey\n".utf8).write(to: file, options: [.atomic, protection])
        var values = URLResourceValues()
        values.isExcludedFromBackup = true
        try file.setResourceValues(values)
    }
}
