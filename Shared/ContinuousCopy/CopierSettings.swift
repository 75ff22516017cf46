/// The options of a copier.
package struct CopierSettings: Sendable {
    /// A database and its name at the target.
    package struct Database: Sendable {
        let name: String
        let path: String

        package init(name: String, path: String) { (self.name, self.path) = (name, path) }
    }

    /// The size of a part unless the target is slow, and the smallest one.
    package static let partBytes = 16 << 20
    static let partBytesMin = 256 << 10
    /// The room that stays free on this host's disk.
    static let reserveBytes = 64 << 20
    /// The longest read transaction; the log of a database grows meanwhile.
    static let readLimit: Duration = .seconds(1)
    /// The longest pause between two attempts.
    static let pauseMax: Duration = .seconds(60)
    static let pruneSeconds: Int64 = 3_600
    static let pruneRetrySeconds: Int64 = 600
    /// How long a turn deletes, and how many files without a look at the time.
    static let pruneLimit: Duration = .seconds(2)
    static let pruneStep = 20
    /// How often the time of the last copy is noted while nothing changes.
    static let noteSeconds: Int64 = 30
    /// A part that takes longer is followed by smaller ones, so that the next point need not wait for it.
    static let partLimit: Duration = .seconds(2)
    /// The most slices of a database, unless it is larger than so many of the largest parts. A target has to list them all.
    static let slicesMax: Int64 = 100

    let databases: [Database]
    /// The folder of `copier.json` and the spool.
    let folder: String
    /// The address of the target.
    package let target: String
    let seal: CopySeal
    package let interval: Duration
    let keepSeconds: Int64
    /// Whether a target that another copier uses becomes this one's.
    let takesOver: Bool
    let partBytesMax: Int

    package init(
        databases: [Database], folder: String, target: String, seal: CopySeal, interval: Duration, keepSeconds: Int64,
        takesOver: Bool = false, partBytesMax: Int = Self.partBytes
    ) {
        (self.databases, self.folder, self.target, self.seal) = (databases, folder, target, seal)
        (self.interval, self.keepSeconds, self.takesOver) = (interval, keepSeconds, takesOver)
        self.partBytesMax = partBytesMax
    }
}
