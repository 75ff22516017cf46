import Glibc

/// One step on the way to a file: a folder, a symbolic link, or the file itself.
package struct PathStep: Sendable, Equatable {
    package let path: String
    package let owner: UInt32
    package let group: UInt32
    /// Type and permissions as in `st_mode`.
    package let mode: UInt32

    package init(path: String, owner: UInt32, group: UInt32, mode: UInt32) {
        (self.path, self.owner, self.group, self.mode) = (path, owner, group, mode)
    }

    var isLink: Bool { mode & S_IFMT == S_IFLNK }
    var isFolder: Bool { mode & S_IFMT == S_IFDIR }
    /// A folder in which users can only rename and remove what is their own, such as `/tmp`.
    var isSticky: Bool { isFolder && mode & S_ISVTX != 0 }
}

/// The steps from `/` to a file, in the order in which the kernel takes them.
package enum PathWalk {
    /// The number of links that the kernel follows.
    private static let linksMax = 40

    /// Returns every folder and link on the way to `path`, and what lies there last.
    ///
    /// - Parameter path: absolute, or relative to the current folder.
    /// - Returns: `nil` if a step does not exist or cannot be examined.
    package static func steps(to path: String) -> [PathStep]? {
        guard let start = path.hasPrefix("/") ? "" : currentFolder() else { return nil }
        var waiting = Array((start + "/" + path).split(separator: "/").map(String.init).reversed())
        var folders: [String] = []
        guard let root = step("/") else { return nil }
        var (steps, links) = ([root], 0)
        while let name = waiting.popLast() {
            if name == "." { continue }
            if name == ".." {
                _ = folders.popLast()
                continue
            }
            guard let step = step("/" + (folders + [name]).joined(separator: "/")) else { return nil }
            steps.append(step)
            guard step.isLink else {
                folders.append(name)
                continue
            }
            links += 1
            guard links <= linksMax, let target = target(of: step.path) else { return nil }
            if target.hasPrefix("/") { folders = [] }
            waiting += target.split(separator: "/").map(String.init).reversed()
        }
        return steps
    }

    private static func step(_ path: String) -> PathStep? {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return nil }
        return PathStep(path: path, owner: status.st_uid, group: status.st_gid, mode: status.st_mode)
    }

    private static func target(of link: String) -> String? {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe readlink(link, &bytes, bytes.count)
        guard count > 0, count < bytes.count else { return nil }
        return String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static func currentFolder() -> String? {
        guard let folder = unsafe getcwd(nil, 0) else { return nil }
        defer { unsafe free(folder) }
        return unsafe String(cString: folder)
    }
}
