/// The contents of the store, and failures to read or write it.
extension Machine {
    /// The store was read.
    mutating func read(_ item: StoredItem, _ moment: Moment) {
        switch state.phase {
        case .starting, .unavailable: begin(with: item, moment)
        case .signedOut(let epoch, let reason, _):
            readSignedOut(item, epoch, reason, moment)
        case .signedIn(let session):
            // A sign-in is newer than all that was stored before it.
            if case .first = session.saved { return }
            readSignedIn(item, session, moment)
        }
    }

    private mutating func begin(with item: StoredItem, _ moment: Moment) {
        switch item {
        case .record(let record): restore(record, moment)
        case .nothing: stayOut(epoch: 0, nil)
        case .signedOut(let epoch, let reason): stayOut(epoch: epoch, reason)
        case .lost(let epoch):
            stayOut(epoch: epoch, .storageLost)
            actions.append(.emit(.signedOut(.storageLost)))
        }
    }

    private mutating func readSignedOut(
        _ item: StoredItem, _ epoch: UInt64, _ reason: SignOutReason?, _ moment: Moment
    ) {
        let known = StoreVersion(epoch: epoch, generation: 0)
        switch item {
        case .record(let record) where record.version > known: restore(record, moment)
        // A stored sign-out keeps its reason; one that is not stored yet is written later.
        case _ where item.version > known: stayOut(epoch: item.version.epoch, reason)
        default: answerAll(.failure(.signedOut(reason)))
        }
    }

    private mutating func readSignedIn(_ item: StoredItem, _ session: SignedIn, _ moment: Moment) {
        let isNewer = item.version > session.record.version
        switch item {
        case .record(let record) where isNewer: takeOver(record, from: session, moment)
        case .signedOut(let epoch, let reason) where isNewer: endedElsewhere(epoch, reason)
        case .lost(let epoch) where session.saved == .yes:
            leave(epoch: max(epoch, session.record.version.epoch), .storageLost, isStored: true)
        case .record(let record) where session.isResting && record.version == session.record.version:
            wakeUp(session, with: record, moment)
        case _ where item.version < session.record.version && session.saved == .yes:
            restoreStore(session, moment)
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
        switch state.phase {
        case .starting, .unavailable: break
        case .signedOut(let epoch, let reason, _):
            guard version.epoch == epoch else { return }
            state.phase = .signedOut(epoch: epoch, reason, isStored: true)
        case .signedIn(var session):
            guard session.record.version == version else { return }
            let saved = session.saved
            session.saved = .yes
            state.phase = .signedIn(session)
            if case .first(let caller, let isNewUser, let replaced) = saved {
                finishSignIn(session, caller, isNewUser, replaced)
            }
            serveAll(moment)
            restInBackground()
        }
    }

    /// Nothing was written, since the stored item is as new or newer.
    mutating func found(_ item: StoredItem, insteadOf version: StoreVersion, _ moment: Moment) {
        // A store that keeps an older item contradicts itself; writing again would not end.
        if item.version < version { return unwritten(version, .unwritable, moment) }
        switch state.phase {
        case .starting, .unavailable: break
        case .signedOut(let epoch, let reason, _):
            state.phase = .signedOut(epoch: epoch, reason, isStored: true)
            readSignedOut(item, epoch, reason, moment)
        case .signedIn(var session):
            guard session.record.version == version else { return }
            if case .first = session.saved {
                // Another process has signed in or out at the same moment. The later sign-in wins.
                let epoch = max(item.version.epoch, session.record.version.epoch) + 1
                session.record.version = StoreVersion(epoch: epoch, generation: 1)
                state.phase = .signedIn(session)
                actions.append(.write(.record(session.record)))
            } else if case .record(let stored) = item, stored.version == session.record.version {
                // Two processes have renewed at once and got the same successor.
                written(stored.version, moment)
            } else {
                readSignedIn(item, session, moment)
            }
        }
    }

    /// The item with this version could not be written.
    mutating func unwritten(_ version: StoreVersion, _ trouble: StoreTrouble, _ moment: Moment) {
        switch state.phase {
        case .starting, .unavailable: return
        case .signedOut(let epoch, let reason, _):
            guard version.epoch == epoch else { return }
            state.phase = .signedOut(epoch: epoch, reason, isStored: false)
        case .signedIn(var session):
            guard session.record.version == version else { return }
            if case .first(let caller, _, _) = session.saved { return undoSignIn(session, caller, trouble) }
            session.saved = .no
            state.phase = .signedIn(session)
            settle(.storeUnavailable(trouble), moment)
        }
        actions.append(.emit(.storeFailed(trouble)))
    }

    // MARK: - Steps

    private mutating func stayOut(epoch: UInt64, _ reason: SignOutReason?) {
        state.phase = .signedOut(epoch: epoch, reason, isStored: true)
        answerAll(.failure(.signedOut(reason)))
    }

    private mutating func restore(_ record: SessionRecord, _ moment: Moment) {
        state.phase = .signedIn(SignedIn(stored: record, moment))
        actions.append(.emit(.restored))
        serveAll(moment)
    }

    /// Another process was faster.
    private mutating func takeOver(_ record: SessionRecord, from session: SignedIn, _ moment: Moment) {
        state.phase = .signedIn(SignedIn(stored: record, moment))
        let isSameSession = record.version.epoch == session.record.version.epoch
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
        saved = .yes
    }
}
