/// The machine's knowledge as an app sees it.
extension State {
    init(_ phase: MachineState.Phase) {
        self =
            switch phase {
            case .starting: .starting
            case .unavailable(let trouble): .unavailable(trouble)
            case .signedOut(_, let reason, _): .signedOut(reason)
            case .signedIn(let session):
                .signedIn(Session(userID: session.record.userID, freshness: Freshness(session.mode)))
            }
    }
}

extension Freshness {
    fileprivate init(_ mode: SignedIn.Mode) {
        self =
            switch mode {
            case .idle: .fresh
            case .looking, .flying, .doubting: .renewing
            case .waiting(_, let fault, _): .overdue(fault)
            }
    }
}
