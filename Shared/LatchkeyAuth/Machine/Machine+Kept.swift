/// Sign-outs that the server has not confirmed.
extension Machine {
    /// Keeps further ones, such as those of an item that was read.
    mutating func keep(_ more: [KeptSignOut]) {
        let known = Set(state.kept.map(\.since))
        state.kept = Array((state.kept + more.filter { !known.contains($0.since) }).suffix(MachineRules.keptCount))
    }

    /// Lets go of those that do not pass a test. A stored sign-out is written without them.
    mutating func letGo(unless stays: (KeptSignOut) -> Bool) {
        let kept = state.kept.filter(stays)
        guard kept.count < state.kept.count else { return }
        state.kept = kept
        guard case .signedOut(let version, let reason, _) = state.phase else { return }
        let next = StoreVersion(epoch: version.epoch, generation: version.generation + 1)
        state.phase = .signedOut(next, reason, isStored: false)
        saveSignOut()
    }

    /// Sends them again, for 30 days.
    mutating func makeGood(_ moment: Moment) {
        letGo { moment.wall.subtractingReportingOverflow($0.since).partialValue < MachineRules.keptMax }
        actions += state.kept.map(MachineAction.makeGood)
    }
}
