import CopyTargets
import Logging
import SQLiteStore

extension Copier {
    /// Begins the next point, and a copy of the whole databases if one is due.
    func begin() throws {
        var cause = whole == nil ? PointPlan.wholeCause(state, now: clock()) : nil
        if draft == nil, state.point != nil {
            do { draft = CopyDraft(state, try sources.map { try $0.resume() }) } catch let loss as PageSource.Loss {
                try forgetPoint()
                cause = loss.rawValue
            }
        }
        guard let cause else { return }
        if state.point == nil {
            try forgetPoint()
            whole = WholeDraft(sequence: state.sequence + 1, try markedFromNow())
            draft = CopyDraft(state, sources.map { _ in PageSet() })
        } else {
            // A draft that could not be completed comes before the end of the whole copy, which lists its parts.
            whole = WholeDraft(
                sequence: draft?.sequence ?? state.sequence + 1, try sources.map { try $0.allPages() })
        }
        logger.info("copier.whole", metadata: ["cause": "\(cause)"])
    }

    /// Begins marks of this copier's, and returns all pages.
    private func markedFromNow() throws -> [PageSet] {
        let copiedAt = state.copiedAt == 0 ? clock() : state.copiedAt
        return try sources.map { source in
            guard let pages = try source.beginWhole(copiedAt: copiedAt) else {
                throw CopyFailure(.notStarted, "no service has written to \(source.path) yet")
            }
            return pages
        }
    }

    /// Copies all pages that have changed since the point before. Each database is complete with a part that was read in one
    /// transaction and left no page.
    func fill() async throws {
        guard var draft else { return }
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
            draft.databases[index].parts.append(try await put(try settings.seal.seal(part.bytes, as: name), as: name))
        } catch {
            for page in part.pages { draft.databases[index].pending.insert(page) }
            throw error
        }
    }

    /// Stores slices of the whole copy until a time, at least one. The next point must not wait for more.
    ///
    /// - Parameter end: `nil` if there is no point to continue.
    func slice(until end: ContinuousClock.Instant?) async throws {
        while let index = whole?.next {
            try await requireOwnMarker()
            try await copySlice(of: index)
            guard end.map({ .now < $0 }) ?? true else { return }
        }
    }

    private func copySlice(of index: Int) async throws {
        guard var whole else { return }
        let least = Int(clamping: sources[index].byteCount / CopierSettings.slicesMax)
        var part = CopyPart(bytesMax: max(partBytes, min(least, settings.partBytesMax)))
        _ = try sources[index].read(
            &whole.databases[index].remaining, takesMarks: false, within: CopierSettings.readLimit
        ) { part.add($0, $1) }
        if !part.pages.isEmpty {
            let name = CopyName.part(
                sequence: whole.sequence, copier: state.idBytes, index: whole.nextSlice, isSlice: true)
            whole.nextSlice += 1
            whole.databases[index].slices.append(
                try await put(try settings.seal.seal(part.bytes, as: name), as: name))
        }
        // After a failure the pages of the slice still remain.
        self.whole = whole
    }

    /// Stores a file. The parts after a slow one are smaller, and grow again.
    private func put(_ sealed: [UInt8], as name: String) async throws -> CopyManifest.File {
        let start = ContinuousClock.now
        do {
            let file = try await spool.put(sealed, as: name, at: target)
            if CopyName.sequence(ofPart: name) != nil { upkeep.parts?.append(name) }
            if .now - start > CopierSettings.partLimit {
                shrinkParts()
            } else {
                partBytes = min(partBytes * 2, settings.partBytesMax)
            }
            return file
        } catch let failure as CopyTargetFailure {
            if failure.reason == .tooSlow { shrinkParts() } else { isTargetKnown = false }
            throw failure
        }
    }

    private func shrinkParts() {
        partBytes = max(partBytes / 2, min(CopierSettings.partBytesMin, settings.partBytesMax))
    }

    /// Stores the manifest of a draft, which makes it a point; a whole one if all slices are stored.
    func complete(_ draft: CopyDraft) async throws {
        try await requireOwnMarker()
        let whole = whole?.next == nil ? whole : nil
        let name = CopyPointName(
            sequence: draft.sequence, time: clock(), wholeFrom: whole?.sequence, copier: state.idBytes)
        let isClockInDoubt = name.time < state.latestTime
        if let before = state.pointTime, before > name.time {
            logger.warning("copier.clock_back", metadata: ["seconds": "\(before - name.time)"])
        }
        let manifest = draft.manifest(
            settings.databases.map(\.name), name, isClockInDoubt: isClockInDoubt,
            previous: whole == nil ? state.point : nil, whole: whole)
        let sealed = try settings.seal.seal(manifest.bytes, as: name.text)
        state.sequence = draft.sequence
        state.attempt = CopySpool.file(name.text, sealed)
        state.attemptBytes = draft.bytes + (whole?.bytes ?? 0)
        try state.write(to: settings.folder)
        // Until it is stored for certain, nothing tells whether it is the newest point.
        isTargetKnown = false
        _ = try await put(sealed, as: name.text)
        isTargetKnown = true
        settle(name)
        try state.write(to: settings.folder)
        logger.debug("copier.copied", metadata: ["sequence": "\(draft.sequence)", "bytes": "\(draft.bytes)"])
    }

    /// Notes that the draft is a point.
    func settle(_ name: CopyPointName) {
        state.settle(name)
        upkeep.points.append(name)
        if name.isWhole { whole = nil } else if let draft { whole?.add(draft) }
        draft = nil
    }
}
