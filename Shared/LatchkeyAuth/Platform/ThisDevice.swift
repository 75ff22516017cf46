import Foundation

/// The facts about this device that a sign-in sends to the server. They do not identify the hardware.
enum ThisDevice {
    /// The kind of this device, such as `iPhone`; `nil` if it is not known.
    static let kind: String? = {
        #if os(iOS)
        // `iPhone15,2`; a simulator has the processor's name.
        ["iPhone", "iPad", "iPod"].first(where: machine.hasPrefix) ?? "iOS"
        #elseif os(macOS) || targetEnvironment(macCatalyst)
        "Mac"
        #elseif os(tvOS)
        "Apple TV"
        #elseif os(watchOS)
        "Apple Watch"
        #elseif os(visionOS)
        "Apple Vision"
        #elseif os(Linux)
        "Linux"
        #else
        nil
        #endif
    }()

    /// A random id of this installation of the app, made at the first sign-in. The system removes it with the app.
    ///
    /// It is `nil` if it can neither be read nor written: a sign-in must not fail because of it.
    ///
    /// - Parameter folder: the folder of its file; `nil` for the app's own.
    static func installationID(in folder: URL? = nil) -> String? {
        let data = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
        guard let folder = folder ?? data?.appending(path: "latchkey", directoryHint: .isDirectory) else { return nil }
        var file = folder.appending(path: "installation-id")
        if let id = read(file) { return id }
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            // Another process may be faster, whose id counts then.
            try Data(RandomBytes.token().utf8).write(to: file, options: [.withoutOverwriting, unprotected])
            var values = URLResourceValues()
            values.isExcludedFromBackup = true
            try file.setResourceValues(values)
        } catch {}
        return read(file)
    }

    private static func read(_ file: URL) -> String? {
        do {
            let text = try String(contentsOf: file, encoding: .utf8)
            return text.utf8.count == 43 ? text : nil
        } catch {
            return nil
        }
    }

    /// It is read before the first unlock too, as `InstallationFiles` is.
    private static var unprotected: Data.WritingOptions {
        #if canImport(Security)
        .noFileProtection
        #else
        []
        #endif
    }

    #if os(iOS)
    private static var machine: String {
        var info = utsname()
        guard unsafe uname(&info) == 0 else { return "" }
        return unsafe withUnsafeBytes(of: info.machine) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
    #endif
}
