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
    /// - Throws: `missing` if the target was used before and has no marker, as a folder whose disk is not mounted.
    func checkTarget() async throws {
        if state.target != settings.target {
            try forgetPoint()
            try await claim()
            state.target = settings.target
        } else if try await !isMarked() {
            guard state.sequence == 0 else { throw Self.noMarker }
            try await claim()
        } else if try await markedCopier() != state.id {
            try await claim()
        }
        let newest = try await CopyPointName.all(at: target).last
        if let newest, newest.text == state.attempt?.name {
            // The manifest was stored, and only the record of it is missing.
            state.settle(newest)
            dropDraft()
        } else if newest?.text != state.point?.name, state.point != nil || isDraftOld(newest?.sequence ?? 0) {
            try forgetPoint()
        }
        state.sequence = max(state.sequence, newest?.sequence ?? 0)
        try state.write(to: settings.folder)
        isTargetKnown = true
    }

    /// Looks once a minute whether the marker is there, while there is nothing to copy.
    func requireMarker(now: Int64) async throws {
        guard now - markerSeenAt >= CopierSettings.markerSeconds || now < markerSeenAt else { return }
        guard try await isMarked() else {
            isTargetKnown = false
            throw Self.noMarker
        }
        markerSeenAt = now
    }

    private static let noMarker = CopyFailure(
        .missing, "the target has no file \(CopyName.marker) any more. Is its disk mounted, and is it the right folder?"
    )

    private func isMarked() async throws -> Bool {
        try await target.list(CopyName.marker).contains { $0.name == CopyName.marker }
    }

    private func markedCopier() async throws -> String? {
        let sealed = try await spool.get(CopyName.marker, bytesMax: TargetMarker.bytesMax, from: target)
        let bytes = try settings.seal.open(sealed, as: CopyName.marker)
        do { return try JSONDecoder().decode(TargetMarker.self, from: Data(bytes)).copier } catch { return nil }
    }

    /// Makes the target this copier's.
    ///
    /// - Throws: `otherCopier` if another one uses it, unless the operator lets this one take over.
    private func claim() async throws {
        if !settings.takesOver, try await isMarked(), let other = try await markedCopier(), other != state.id {
            throw CopyFailure(
                .otherCopier,
                "the target belongs to the copier \(other). Use another folder, or --take-over if that copier is gone")
        }
        let marker = TargetMarker(format: 1, copier: state.id)
        let sealed = try settings.seal.seal(Array(try JSONEncoder().encode(marker)), as: CopyName.marker)
        _ = try await spool.put(sealed, as: CopyName.marker, at: target)
    }
}
