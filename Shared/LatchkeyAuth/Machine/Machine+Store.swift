/// The contents of the store, and failures to read or write it.
extension Machine {
    /// The store was read.
    mutating func read(_ item: StoredItem, _ moment: Moment) {
        switch state.phase {
        case .starting, .unavailable: begin(with: item, moment)
        case .signedOut(let version, let reason, _): readSignedOut(item, version, reason, moment)
        case .signedIn(let session):
            // A sign-in is newer than all that was stored before it.
            if session.first == nil { readSignedIn(item, session, moment) }
        }
    }

    private mutating func begin(with item: StoredItem, _ moment: Moment) {
        keep(item.kept)
        switch item.content {
        case .record(let record): restore(record, moment)
        case .nothing: stayOut(.none, nil)
        case .signedOut(let version, let reason): stayOut(version, reason)
        case .lost: leave(item.version, .storageLost, isStored: true)
        }
        makeGood(moment)
    }

    private mutating func readSignedOut(
        _ item: StoredItem, _ version: StoreVersion, _ reason: SignOutReason?, _ moment: Moment
    ) {
        guard item.version > version else { return answerAll(.failure(.signedOut(reason))) }
        keep(item.kept)
        // A stored sign-out keeps its reason; one that is not stored yet is written later.
        if case .record(let record) = item.content { restore(record, moment) } else { stayOut(item.version, reason) }
    }

    private mutating func readSignedIn(_ item: StoredItem, _ session: SignedIn, _ moment: Moment) {
        let version = session.record.version
        let isNewer = item.version > version
        if isNewer { keep(item.kept) }
        switch item.content {
        case .record(let record) where isNewer: restore(record, from: session, moment)
        case .signedOut(let version, let reason) where isNewer:
            leave(version, reason == .asked ? .elsewhere : reason, isStored: true)
        case .lost(let epoch) where session.saved == .yes:
            leave(StoreVersion(epoch: max(epoch, version.epoch), generation: 0), .storageLost, isStored: true)
        case .record(let record) where session.isResting && record.version == version:
            wakeUp(session, with: record, moment)
        case _ where item.version < version && session.saved == .yes: restoreStore(session, moment)
        default: confirmed(session, moment)
        }
    }

    /// The store could not be read.
    mutating func unreadable(_ trouble: StoreTrouble, _ moment: Moment) {
        let fault = AuthError.storeUnavailable(trouble)
        switch state.phase {
        case .starting, .unavailable:
            if state.phase != .unavailable(trouble) { actions.append(.emit(.storeFailed(trouble))) }
            state.phase = .unavailable(trouble)
            answerAll(.failure(fault))
        case .signedOut: answerAll(.failure(fault))
        case .signedIn(let session):
            switch session.mode {
            case .looking, .doubting: postpone(fault, 0.5, moment)
            case .idle, .flying, .waiting: if session.isResting { answerAll(.failure(fault)) }
            }
        }
    }

    /// The item with this version was written.
    mutating func written(_ version: StoreVersion, _ moment: Moment) {
        guard version == known else { return }
        switch state.phase {
        case .starting, .unavailable: break
        case .signedOut(_, let reason, _): state.phase = .signedOut(version, reason, isStored: true)
        case .signedIn(var session):
            let first = session.first
            session.saved = .yes
            state.phase = .signedIn(session)
            if let first { finishSignIn(session, first, moment) }
            serveAll(moment)
            restInBackground()
        }
    }

    /// Nothing was written, since the stored item is as new or newer.
    mutating func found(_ item: StoredItem, insteadOf version: StoreVersion, _ moment: Moment) {
        // A store that keeps an older item contradicts itself; writing again would not end.
        if item.version < version { return unwritten(version, .unwritable, moment) }
        guard version == known else { return }
        switch state.phase {
        case .starting, .unavailable: break
        case .signedOut(_, let reason, _):
            state.phase = .signedOut(version, reason, isStored: true)
            readSignedOut(item, version, reason, moment)
        case .signedIn(var session):
            if session.first != nil {
                // Another process has signed in or out at the same moment. The later sign-in wins.
                let epoch = max(item.version.epoch, version.epoch) + 1
                session.record.version = StoreVersion(epoch: epoch, generation: 1)
                keep(item.kept)
                state.phase = .signedIn(session)
                write(.record(session.record))
            } else if case .record(let stored) = item.content, stored.version == version {
                // Two processes have renewed at once and got the same successor.
                written(version, moment)
            } else {
                readSignedIn(item, session, moment)
            }
        }
    }

    /// The item with this version could not be written.
    mutating func unwritten(_ version: StoreVersion, _ trouble: StoreTrouble, _ moment: Moment) {
        guard version == known else { return }
        switch state.phase {
        case .starting, .unavailable: return
        case .signedOut(_, let reason, _): state.phase = .signedOut(version, reason, isStored: false)
        case .signedIn(var session):
            if let first = session.first { return undoSignIn(session, first, trouble) }
            session.saved = .no
            state.phase = .signedIn(session)
            settle(.storeUnavailable(trouble), moment)
        }
        actions.append(.emit(.storeFailed(trouble)))
    }

    // MARK: - Steps

    private mutating func stayOut(_ version: StoreVersion, _ reason: SignOutReason?) {
        state.phase = .signedOut(version, reason, isStored: true)
        answerAll(.failure(.signedOut(reason)))
    }

    /// Takes a session from the store. If there was one with this epoch before, another process has renewed it.
    private mutating func restore(_ record: SessionRecord, from before: SignedIn? = nil, _ moment: Moment) {
        state.phase = .signedIn(SignedIn(stored: record, moment))
        let isSameSession = record.version.epoch == before?.record.version.epoch
        actions.append(.emit(isSameSession ? .renewed : .restored))
        serveAll(moment)
    }

    private mutating func wakeUp(_ session: SignedIn, with record: SessionRecord, _ moment: Moment) {
        var session = session
        session.record = record
        session.isResting = false
        state.phase = .signedIn(session)
        serveAll(moment)
    }

    /// The store has lost what was written. It is written again, and a renewal waits until the next attempt.
    private mutating func restoreStore(_ session: SignedIn, _ moment: Moment) {
        var session = session
        session.isResting = false
        save(session)
        if session.isRenewing { postpone(.storeUnavailable(.unreadable), 0.5, moment) }
    }
}

extension SignedIn {
    /// A session that was found in the store.
    ///
    /// Only the date tells how old the access token is. A date before the record's own says nothing, so the token is renewed
    /// once; the new record then has the present date.
    init(stored record: SessionRecord, _ moment: Moment) {
        let age = moment.wall.subtractingReportingOverflow(record.issuedAt)
        let isUnknown = age.overflow || age.partialValue < -MachineRules.clockTolerance
        let since = Duration.seconds(max(0, age.partialValue))
        self.record = record
        deadline = isUnknown || record.accessToken == nil ? moment.now : moment.now + .seconds(record.expiresIn) - since
        lastRotation = isUnknown || record.version.generation <= 1 ? nil : moment.now - since
        isHurried = true
        saved = .yes
    }
}
