import ContinuousCopy
import CopyTargets
import Foundation
import PrivateFiles
import SQLiteStore
import Storage

/// A backup that is rebuilt from a continuous copy.
struct CopiedBackup {
    private static let newest = "newest.sqlite"

    let target: any CopyTarget
    let seal: CopySeal
    /// A private folder, in which the backup is made.
    let folder: String

    struct Rebuilt {
        let point: CopyPointName
        let isClockInDoubt: Bool
        /// The newest point, from which the later changes are.
        let newest: CopyPointName
        let later: LaterRows
    }

    /// Makes the folder, which must not exist or be empty.
    static func prepare(_ folder: String) throws {
        let files = FileManager.default
        try files.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        guard try files.contentsOfDirectory(atPath: folder).isEmpty else {
            throw CommandFailure(description: "\(folder) is not empty: use another folder for --scratch, or remove it")
        }
    }

    /// Rebuilds the databases as of the newest point that is not later than a Unix time, and the lists as of the newest one.
    func rebuild(_ names: [String], at time: Int64?) async throws(CopyFailure) -> Rebuilt {
        let points = try await allPoints()
        guard let newest = points.last else { throw CopyFailure(.missing, "there is no copy at the target") }
        guard let point = PointPlan.point(points, at: time) else {
            throw CopyFailure(
                .missing,
                "the oldest copy is of \(TimeText.text(points.first?.time)), which is later than the time of --at")
        }
        let replay = CopyReplay(target: target, seal: seal, folder: folder)
        let chain = try await replay.chain(to: point)
        for name in names { try await replay.rebuild(name, from: chain, at: folder + "/" + name) }
        do throws(FileFailure) {
            _ = try Backup.complete(names, in: folder, createdAt: point.time)
        } catch { throw CopyFailure(.damaged, error.description) }
        if newest != point {
            let chain = try await replay.chain(to: newest)
            try await replay.rebuild(Databases.users, from: chain, at: folder + "/" + Self.newest)
        }
        do throws(FileFailure) {
            let users = newest == point ? Databases.users : Self.newest
            return Rebuilt(
                point: point, isClockInDoubt: chain.isClockInDoubt, newest: newest,
                later: try LaterRows.read(file: folder + "/" + users))
        } catch { throw CopyFailure(.damaged, error.description) }
    }

    private func allPoints() async throws(CopyFailure) -> [CopyPointName] {
        do throws(CopyTargetFailure) { return try await CopyPointName.all(at: target) } catch {
            throw CopyFailure(.init(rawValue: error.reason.rawValue) ?? .unexpected, error.detail)
        }
    }
}

extension LaterRows {
    /// Adds these rows to the operator's lists, which may be newer.
    func merged(into lists: LaterChanges.Lists) -> LaterChanges.Lists {
        let given = lists.decisions ?? []
        let known = Set(given.map(\.sequence))
        return LaterChanges.Lists(
            removed: Array(Set(removed + (lists.removed ?? []))),
            decisions: (decisions.filter { !known.contains($0.sequence) } + given).sorted { $0.sequence < $1.sequence })
    }
}
