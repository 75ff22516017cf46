import CopyTargets
import CryptoPrimitives
import FoundationEssentials

/// The file that shows which copier uses a target.
private struct TargetMarker: Codable {
    static let bytesMax = 4_096

    let format: Int
    let copier: String
}

extension Copier {
    /// Makes sure that the target is this copier's, and compares its newest point with the record.
    ///
    /// - Throws: `missing` if the target was used before and has no marker, as a folder whose disk is not mounted; `otherCopier`.
    func checkTarget() async throws {
        let (owner, isOther) = (try await owner(), state.target != settings.target)
        if isOther { try forgetPoint() }
        guard owner != nil || isOther || state.sequence == 0 else { throw Self.noMarker }
        if owner != state.id { try await claim(from: owner) }
        state.target = settings.target
        mayTakeOver = false
        upkeep.points = try await CopyPointName.all(at: target)
        let newest = upkeep.points.last
        if let newest, newest.text == state.attempt?.name {
            // The manifest was stored, and only the record of it is missing.
            upkeep.points.removeLast()
            settle(newest)
        } else if newest?.text != state.point?.name, state.point != nil || isDraftOld(newest?.sequence ?? 0) {
            try forgetPoint()
        }
        state.sequence = max(state.sequence, newest?.sequence ?? 0)
        try state.write(to: settings.folder)
        isTargetKnown = true
    }

    /// Makes sure that the marker is there and that no other copier has taken the target over since.
    func requireOwnMarker() async throws {
        let owner = try await owner()
        guard owner != state.id else { return }
        isTargetKnown = false
        guard let owner else { throw Self.noMarker }
        throw CopyFailure(.otherCopier, "the copier \(owner) has taken the target over, so this one ends")
    }

    private static let noMarker = CopyFailure(
        .missing, "the target has no file \(CopyName.marker) any more. Is its disk mounted, and is it the right folder?"
    )

    /// Returns the id of the copier that uses the target; `nil` if there is no marker.
    private func owner() async throws -> String? {
        let sealed: [UInt8]
        do { sealed = try await spool.get(CopyName.marker, bytesMax: TargetMarker.bytesMax, from: target) } catch let
            failure as CopyTargetFailure where failure.reason == .missing
        { return nil }
        let bytes = try settings.seal.open(sealed, as: CopyName.marker)
        do { return try JSONDecoder().decode(TargetMarker.self, from: Data(bytes)).copier } catch {
            throw CopyFailure(.damaged, "\(CopyName.marker) at the target is no marker that this release knows")
        }
    }

    /// Makes the target this copier's.
    ///
    /// - Throws: `otherCopier` if another one uses it, unless the operator lets this one take over.
    private func claim(from owner: String?) async throws {
        if let owner, !mayTakeOver {
            throw CopyFailure(
                .otherCopier,
                "the target belongs to the copier \(owner). Use another folder, or --take-over if that copier is gone")
        }
        let marker = TargetMarker(format: 1, copier: state.id)
        let sealed = try settings.seal.seal(Array(try JSONEncoder().encode(marker)), as: CopyName.marker)
        _ = try await spool.put(sealed, as: CopyName.marker, at: target)
    }
}
