/// How long the writer rests after a group, so that what comes meanwhile shares the next commit.
enum GroupPause {
    /// The length of its next step: shorter while reads come, which are served between two steps.
    ///
    /// - Parameter servedReads: whether any waited after the last one.
    static func stepMicroseconds(servedReads: Bool) -> UInt32 {
        servedReads ? SQLiteLimits.groupPauseShortStepMicroseconds : SQLiteLimits.groupPauseStepMicroseconds
    }

    /// Whether it goes on.
    ///
    /// - Parameters:
    ///   - paused: for how long it has lasted.
    ///   - lastGroup: writes in the group before.
    ///   - waiting: writes that wait now.
    static func goesOn(after paused: Duration, lastGroup: Int, waiting: Int) -> Bool {
        if paused < .microseconds(SQLiteLimits.groupPauseMicroseconds) { return true }
        return lastGroup > 1 && waiting < SQLiteLimits.groupWorthSync
            && paused < .microseconds(SQLiteLimits.groupPauseMicrosecondsMax)
    }
}
