import Glibc

/// A way by which other users of the host could read or replace a file or a folder of ours.
package struct PathExposure: Sendable, Equatable, CustomStringConvertible {
    /// The exposure and the command that ends it.
    package let description: String
    /// Whether the exposure stops a start in production only. Elsewhere it is worth a warning.
    package let isForProductionOnly: Bool
}

/// Judges owners and modes of a file or a folder, and of everything above it.
///
/// A user who may write to a folder can replace what lies in it, however private that is itself.
package enum PathAccess {
    /// The exposures of what lies at `path`. A path that does not exist has none.
    package static func exposures(of path: String, user: UInt32 = geteuid()) -> [PathExposure] {
        PathWalk.steps(to: path).map { exposures(of: $0, user: user) } ?? []
    }

    /// The exposures of the last of `steps`.
    ///
    /// - Parameters:
    ///   - steps: the way to it from `/`.
    ///   - user: the user who relies on it, who may own each step. So may root.
    package static func exposures(of steps: [PathStep], user: UInt32) -> [PathExposure] {
        guard let last = steps.last else { return [] }
        let replaceable = steps.compactMap { step in
            exposure(of: step, usedFor: last, user: user)
        }
        return replaceable + (isReadableByGroup(last, above: steps.dropLast()) ? [readable(last)] : [])
    }

    private static func exposure(of step: PathStep, usedFor last: PathStep, user: UInt32) -> PathExposure? {
        let isLast = step == last
        guard step.owner == 0 || step.owner == user else {
            // A folder above may be another person's home, so its owner must not be changed.
            let advice =
                isLast
                ? "chown \(user) '\(step.path)'"
                : "use a place that lies below folders of user \(user) and root only, instead of \(last.path)"
            return PathExposure(
                description:
                    "\(step.path) belongs to user \(step.owner), who could replace what is used here: \(advice)",
                isForProductionOnly: false)
        }
        // A link has all permission bits set, but cannot be written to.
        guard !step.isLink, !step.isSticky else { return nil }
        if step.mode & S_IWOTH != 0 {
            return PathExposure(
                description: "every user of this host can write to \(step.path): chmod o-w '\(step.path)'",
                isForProductionOnly: false)
        }
        guard step.mode & S_IWGRP != 0 else { return nil }
        return PathExposure(
            description: "group \(step.group) can write to \(step.path): chmod g-w '\(step.path)'",
            isForProductionOnly: !isLast)
    }

    /// Whether members of a file's group can reach and read it. If root owns the file, that is intended: such a file is
    /// shared with the user of a service.
    private static func isReadableByGroup(_ file: PathStep, above: ArraySlice<PathStep>) -> Bool {
        guard !file.isFolder, file.owner != 0, file.mode & S_IRGRP != 0 else { return false }
        return above.allSatisfy { step in
            step.isLink || step.mode & S_IXOTH != 0 || (step.mode & S_IXGRP != 0 && step.group == file.group)
        }
    }

    private static func readable(_ file: PathStep) -> PathExposure {
        PathExposure(
            description: "group \(file.group) can read \(file.path), which belongs to user \(file.owner): "
                + "chmod 600 '\(file.path)'",
            isForProductionOnly: false)
    }
}
