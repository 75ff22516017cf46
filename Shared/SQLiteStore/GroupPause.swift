/// How long the writer rests after a group, so that what comes meanwhile shares the next commit.
enum GroupPause {
    /// The length of the next step of it, in microseconds: shorter while reads come, which are served between two steps.
    ///
    /// - Parameter servedReads: whether any waited after the last one.
    static func step(servedReads: Bool) -> UInt32 {
        servedReads ? SQLiteLimits.groupPauseShortStepMicroseconds : SQLiteLimits.groupPauseStepMicroseconds
    }

    /// Whether it goes on.
    ///
    /// - Parameters:
    ///   - paused: microseconds so far.
    ///   - lastGroup: writes in the group before.
    ///   - waiting: writes that wait now.
    static func goesOn(after paused: UInt32, lastGroup: Int, waiting: Int) -> Bool {
        if paused < SQLiteLimits.groupPauseMicroseconds { return true }
        return lastGroup > 1 && waiting < SQLiteLimits.groupWorthSync
            && paused < SQLiteLimits.groupPauseMicrosecondsMax
    }
}
