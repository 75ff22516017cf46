package import Storage

extension SessionRecord {
    /// The factor of an epoch that gives the first row number of sessions in it. It is more than a deployment opens in each second
    /// of its life, so that no refresh token of an earlier life matches another session. Numbers stay at six bytes until 2038.
    static let openedPerSecondMax: Int64 = 1 << 14

    /// Returns a row number below those of all sessions in an epoch, and above those before it.
    ///
    /// - Parameter floor: The epoch, a Unix time in seconds.
    package static func locator(beforeEpoch floor: Int64) throws(StorageError) -> Int64 {
        let (locator, overflows) = floor.multipliedReportingOverflow(by: openedPerSecondMax)
        guard !overflows else { throw StorageError(.corrupt, "the restore's floor is not a Unix time") }
        return locator
    }
}
