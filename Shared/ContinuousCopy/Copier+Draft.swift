import CopyTargets
import Logging
import SQLiteStore

extension Copier {
    private func begin() throws -> CopyDraft {
        var cause = PointPlan.wholeCause(state, now: clock())
        var pending: [PageSet] = []
        if cause == nil {
            do { pending = try sources.map { try $0.resume() } } catch let loss as PageSource.Loss {
                cause = loss.rawValue
            }
        }
        guard let cause else { return CopyDraft(state, pending, isWhole: false) }
        try forgetPoint()
        let copiedAt = state.copiedAt == 0 ? clock() : state.copiedAt
        pending = try sources.map { source in
            guard let pages = try source.beginWhole(copiedAt: copiedAt) else {
                throw CopyFailure(.notStarted, "no service has written to \(source.path) yet")
            }
            return pages
        }
        logger.info("copier.whole", metadata: ["cause": "\(cause)"])
        return CopyDraft(state, pending, isWhole: true)
    }

    /// Copies all pages that have to be in the next point. Each database is complete with a part that was read in one transaction
    /// and left no page.
    func fill() async throws {
        var draft = try self.draft ?? begin()
        defer { self.draft = draft }
        for index in draft.databases.indices {
            repeat { try await copyPart(of: index, in: &draft) } while !draft.databases[index].pending.isEmpty
        }
    }

    private func copyPart(of index: Int, in draft: inout CopyDraft) async throws {
        var part = CopyPart(bytesMax: partBytes)
        let snapshot = try sources[index].read(&draft.databases[index].pending, within: CopierSettings.readLimit) {
            part.add($0, $1)
        }
        draft.databases[index].snapshot = snapshot
        guard !part.pages.isEmpty else { return }
        let name = CopyName.part(sequence: draft.sequence, copier: state.idBytes, index: draft.nextPart)
        draft.nextPart += 1
        do {
            let sealed = try settings.seal.seal(part.bytes, as: name)
            draft.databases[index].parts.append(try await put(sealed, as: name))
        } catch {
            for page in part.pages { draft.databases[index].pending.insert(page) }
            throw error
        }
    }

    /// Stores a file. The parts after a failure because of slowness are smaller, and grow again.
    private func put(_ sealed: [UInt8], as name: String) async throws -> CopyManifest.File {
        do {
            let file = try await spool.put(sealed, as: name, at: target)
            partBytes = min(partBytes * 2, settings.partBytesMax)
            return file
        } catch let failure as CopyTargetFailure {
            if failure.reason == .tooSlow {
                partBytes = max(partBytes / 2, min(CopierSettings.partBytesMin, settings.partBytesMax))
            } else {
                isTargetKnown = false
            }
            throw failure
        }
    }

    /// Stores the manifest of a draft, which makes it a point.
    func complete(_ draft: CopyDraft) async throws {
        let now = clock()
        let isClockInDoubt = now < state.latestTime
        if isClockInDoubt { logger.warning("copier.clock_back", metadata: ["seconds": "\(state.latestTime - now)"]) }
        let name = CopyPointName(
            sequence: draft.sequence, time: now, isWhole: draft.isWhole, copier: state.idBytes)
        let manifest = draft.manifest(
            settings.databases.map(\.name), time: now, isClockInDoubt: isClockInDoubt,
            previous: draft.isWhole ? nil : state.point)
        let sealed = try settings.seal.seal(manifest.bytes, as: name.text)
        state.sequence = draft.sequence
        state.attempt = CopySpool.file(name.text, sealed)
        state.attemptBytes = draft.bytes
        try state.write(to: settings.folder)
        _ = try await put(sealed, as: name.text)
        state.settle(name)
        try state.write(to: settings.folder)
        logger.debug("copier.copied", metadata: ["sequence": "\(draft.sequence)", "bytes": "\(draft.bytes)"])
    }
}
