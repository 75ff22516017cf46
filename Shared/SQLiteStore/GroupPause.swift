/// How long the writer rests after a group, so that what comes meanwhile shares the next commit.
enum GroupPause {
    /// The length of its next step: shorter when reads came, since more will, and they are served between two steps.
    ///
    /// - Parameter readsCame: whether any waited since the group was written.
    static func stepMicroseconds(readsCame: Bool) -> UInt32 {
        readsCame ? SQLiteLimits.groupPauseShortStepMicroseconds : SQLiteLimits.groupPauseStepMicroseconds
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
