import SQLiteStore

/// The changed pages of the next point while they are being stored.
struct CopyDraft {
    struct Database {
        /// Pages that have to be in the point and are not yet.
        var pending: PageSet
        var parts: [CopyManifest.File] = []
        /// The database as the last part saw it.
        var snapshot: PageSource.Snapshot?
    }

    let sequence: Int64
    var databases: [Database]
    var nextPart = 0

    init(_ state: CopierState, _ pending: [PageSet]) {
        sequence = state.sequence + 1
        databases = pending.map { Database(pending: $0) }
    }

    /// Whether nothing has changed since the point before.
    var isEmpty: Bool { databases.allSatisfy(\.parts.isEmpty) }
    var bytes: Int { databases.flatMap(\.parts).reduce(0) { $0 + $1.bytes } }

    /// - Parameter whole: The slices and earlier changes that make the point a whole copy.
    func manifest(
        _ names: [String], _ name: CopyPointName, isClockInDoubt: Bool, previous: CopyManifest.File?, whole: WholeDraft?
    ) -> CopyManifest {
        CopyManifest(
            format: CopyManifest.currentFormat, sequence: sequence, time: name.time, isClockInDoubt: isClockInDoubt,
            previous: previous,
            databases: names.indices.map { index in
                let (database, earlier) = (databases[index], whole?.databases[index])
                return CopyManifest.Database(
                    name: names[index], pageBytes: database.snapshot?.pageBytes ?? 0,
                    pageCount: database.snapshot?.pageCount ?? 0,
                    parts: (earlier?.slices ?? []) + (earlier?.changes ?? []) + database.parts)
            })
    }
}

/// A copy of the whole databases that is stored in slices, while points with the changes go on.
///
/// Each slice is of another moment. What has changed since the beginning is in the changes of the points meanwhile, so slices and
/// changes together are the databases as of the point that has the last slice behind it.
struct WholeDraft {
    struct Database {
        /// Pages that are in no slice yet.
        var remaining: PageSet
        var slices: [CopyManifest.File] = []
        /// The parts of all points since the beginning.
        var changes: [CopyManifest.File] = []
    }

    /// The sequence of the first point after the beginning.
    let sequence: Int64
    var databases: [Database]
    var nextSlice = 0

    init(sequence: Int64, _ pages: [PageSet]) {
        self.sequence = sequence
        databases = pages.map { Database(remaining: $0) }
    }

    /// The database of the next slice; `nil` if all pages are stored.
    var next: Int? { databases.firstIndex { !$0.remaining.isEmpty } }
    var bytes: Int { databases.flatMap { $0.slices + $0.changes }.reduce(0) { $0 + $1.bytes } }

    /// Notes the changes of a point.
    mutating func add(_ point: CopyDraft) {
        for index in databases.indices { databases[index].changes += point.databases[index].parts }
    }
}
