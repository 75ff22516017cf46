import SQLiteStore

/// A point while its parts are being stored.
struct CopyDraft {
    struct Database {
        /// Pages that have to be in the point and are not yet.
        var pending: PageSet
        var parts: [CopyManifest.File] = []
        /// The database as the last part saw it.
        var snapshot: PageSource.Snapshot?
    }

    let sequence: Int64
    let isWhole: Bool
    var databases: [Database]
    var nextPart = 0

    init(_ state: CopierState, _ pending: [PageSet], isWhole: Bool) {
        (sequence, self.isWhole) = (state.sequence + 1, isWhole)
        databases = pending.map { Database(pending: $0) }
    }

    /// Whether nothing has changed since the point before.
    var isEmpty: Bool { databases.allSatisfy(\.parts.isEmpty) }
    var bytes: Int { databases.flatMap(\.parts).reduce(0) { $0 + $1.bytes } }

    func manifest(
        _ names: [String], time: Int64, isClockInDoubt: Bool, previous: CopyManifest.File?
    ) -> CopyManifest {
        CopyManifest(
            format: CopyManifest.currentFormat, sequence: sequence, time: time, isClockInDoubt: isClockInDoubt,
            previous: previous,
            databases: zip(names, databases).map { name, database in
                CopyManifest.Database(
                    name: name, pageBytes: database.snapshot?.pageBytes ?? 0,
                    pageCount: database.snapshot?.pageCount ?? 0, parts: database.parts)
            })
    }
}
