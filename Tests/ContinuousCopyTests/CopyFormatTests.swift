import CopyTargets
import PrivateFiles
import TestSupport
import Testing

@testable import ContinuousCopy

@Suite struct CopyFormatTests {
    static let seal = CopySeal(secret: Array("0f8a7c6b5d4e3f2a1b0c9d8e7f6a5b4c".utf8))
    private static let id = [UInt8](repeating: 0xAB, count: 16)

    private static func point(_ sequence: Int64, at time: Int64, isWhole: Bool = false) -> CopyPointName {
        CopyPointName(sequence: sequence, time: time, wholeFrom: isWhole ? sequence : nil, copier: id)
    }

    @Test func `names are ones that every target can store, and are read back`() {
        let point = Self.point(12, at: 1_700_000_000, isWhole: true)
        #expect(CopyPointName(point.text) == point)
        let whole = CopyPointName(sequence: 12, time: 5, wholeFrom: 9, copier: Self.id)
        #expect(CopyPointName(whole.text) == whole && CopyPointName(whole.text)?.wholeFrom == 9)
        let part = CopyName.part(sequence: 12, copier: Self.id, index: 3)
        let slice = CopyName.part(sequence: 12, copier: Self.id, index: 3, isSlice: true)
        #expect(part != slice && [part, slice].allSatisfy { CopyName.sequence(ofPart: $0) == 12 })
        for name in [point.text, part, slice, CopyName.marker] { #expect(CopyTargetFile.isName(name)) }
        for text in [
            "points/x", "points/12-1-w-ab", part, "points/0000000012-1700000000-q-" + point.copier,
            "points/0000000000-1700000000-p-" + point.copier, point.text + "-1",
            "points/-000000001-1700000000-0000000001-" + point.copier,
            "points/0000000012-1700000000-0000000013-" + point.copier,
            "points/0000000012-1700000000-0000000000-" + point.copier,
            "points/9223372036854775807-1700000000-p-" + point.copier,
            "points/0000000012-9223372036854775807-p-" + point.copier,
        ] {
            #expect(CopyPointName(text) == nil)
        }
    }

    @Test func `a sealed file opens under its own name and key only`() throws {
        let sealed = try Self.seal.seal([1, 2, 3], as: "parts/a")
        #expect(try Self.seal.open(sealed, as: "parts/a") == [1, 2, 3])
        #expect(throws: CopyFailure.self) { try Self.seal.open(sealed, as: "parts/b") }
        let other = CopySeal(secret: [UInt8](repeating: 1, count: 32))
        #expect(throws: CopyFailure.self) { try other.open(sealed, as: "parts/a") }
        var changed = sealed
        changed[changed.count / 2] ^= 1
        #expect(throws: CopyFailure.self) { try Self.seal.open(changed, as: "parts/a") }
    }

    @Test func `a manifest is read under its own name only`() throws {
        let name = Self.point(2, at: 50)
        let manifest = CopyManifest(
            format: 1, sequence: 2, time: 50, isClockInDoubt: false,
            previous: .init(name: "points/1", bytes: 5, sha256: "ab"),
            databases: [.init(name: "users.sqlite", pageBytes: 4_096, pageCount: 7, parts: [])])
        #expect(try CopyManifest.read(manifest.bytes, as: name) == manifest)
        for other in [Self.point(3, at: 50), Self.point(2, at: 51), Self.point(2, at: 50, isWhole: true)] {
            #expect(throws: CopyFailure.self) { try CopyManifest.read(manifest.bytes, as: other) }
        }
        #expect(throws: CopyFailure.self) { try CopyManifest.read([UInt8]("{}".utf8), as: name) }
    }

    @Test func `a part gives back its pages and refuses what is none`() throws {
        var part = CopyPart(bytesMax: 30)
        let hasRoom = [
            part.add(3, [UInt8](repeating: 1, count: 8)), part.add(9, [UInt8](repeating: 2, count: 8)),
        ]
        #expect(hasRoom == [true, false])
        var pages: [UInt32: [UInt8]] = [:]
        try CopyPart.forEach(in: part.bytes, pageBytes: 8) { pages[$0] = Array($1) }
        #expect(pages == [3: [UInt8](repeating: 1, count: 8), 9: [UInt8](repeating: 2, count: 8)])
        for bytes in [Array(part.bytes.dropLast()), [UInt8](repeating: 0, count: 12)] {
            #expect(throws: CopyFailure.self) { try CopyPart.forEach(in: bytes, pageBytes: 8) { _, _ in } }
        }
    }

    @Test func `the newest point that is not later than a time is restored, by sequence`() {
        let points = [(1, 100), (2, 105), (3, 90), (4, 110)].map { Self.point($0, at: $1) }
        #expect(PointPlan.point(points, at: nil)?.sequence == 4)
        // The clock went back once: sequence 3 came after 2.
        #expect(PointPlan.point(points, at: 109)?.sequence == 3)
        #expect(PointPlan.point(points, at: 95)?.sequence == 3)
        #expect(PointPlan.point(points, at: 89) == nil)
    }

    @Test(arguments: [1, 7, 9, 30, 400] as [Int64])
    func `a target can list all slices, and two parts of each point, however long they are kept`(days: Int64) {
        let every = PointPlan.everyMin(keepSeconds: days * 86_400)
        // One whole copy is not complete yet, and another one is not deleted yet.
        let slices = 2 * Int64(PointPlan.copiesMax + 2) * CopierSettings.slicesMax
        #expect(slices + 2 * (days + 2) * 86_400 / every <= CopyTargetFile.countMax)
        #expect(days > 9 || every <= 5)
    }

    @Test(arguments: [Int64.min, -1, 0, 1, 40_000_000_000, .max])
    func `a point is found again whatever the clock says`(time: Int64) {
        let point = Self.point(3, at: time)
        #expect(CopyPointName(point.text) == point)
    }

    /// A day of points at every ten minutes, with a whole copy at the beginning and in the middle.
    private static let day = (0...144).map { point($0 + 1, at: 600 * $0, isWhole: $0 % 72 == 0) }

    @Test func `points are deleted once no moment to keep needs them`() {
        func first(_ points: [CopyPointName], _ keepSeconds: Int64, every: Int64 = 5) -> Int64? {
            PointPlan.firstKept(points, keepSeconds: keepSeconds, every: every)?.sequence
        }
        #expect(first(Self.day, 43_201) == 1)
        #expect(first(Self.day, 43_200) == 73)
        #expect(first(Self.day, 86_400) == 1)
        #expect(first(Self.day, 0) == 145)
        #expect(first([], 0) == nil)
        #expect(first([Self.point(1, at: 0)], 0) == nil)
        let many = (1...500).map { Self.point(Int64($0), at: Int64($0), isWhole: true) }
        #expect(first(many, 1_000) == 101)
        // Copies once an hour are no gaps if that is what was asked for.
        let hourly = (0...48).map { Self.point($0 + 1, at: 3_600 * $0, isWhole: $0 % 24 == 0) }
        #expect(first(hourly, 86_400) == 1)
        #expect(first(hourly, 86_400, every: 3_600) == 25)
        // On a slow link each pause counts as a quarter of an hour.
        #expect(first(hourly, 24 * 900) == 25)
        #expect(first(hourly, 24 * 900 + 1) == 1)
    }

    @Test(arguments: [30 * 86_400, 3_600, -3_600, -30 * 86_400, 901] as [Int64], [true, false])
    func `a clock that was set makes points older by a quarter of an hour at most`(step: Int64, isSetBack: Bool) {
        let start: Int64 = 100 * 86_400
        var points = Self.day.dropLast().map {
            Self.point($0.sequence, at: start + $0.time, isWhole: $0.isWhole)
        }
        for number: Int64 in 0..<12 {
            let time = start + 86_400 + 60 * number + (isSetBack && number > 5 ? 0 : step)
            points.append(Self.point(145 + number, at: time, isWhole: number == 3))
        }
        // Eleven minutes more than half a day have passed since the whole copy in the middle.
        #expect(PointPlan.firstKept(points, keepSeconds: 43_200 + 660 + 900 + 1, every: 5)?.sequence == 1)
    }

    @Test func `a whole copy is made each day, and earlier if the changes are larger, but once an hour at most`() {
        var state = CopierState(target: "/t", id: Self.id)
        #expect(PointPlan.wholeCause(state, now: 1_000) != nil)
        state.point = .init(name: "p", bytes: 1, sha256: "")
        (state.wholeAt, state.wholeBytes, state.laterBytes) = (1_000, 10, 5)
        #expect(PointPlan.wholeCause(state, now: 1_000 + 86_399) == nil)
        #expect(PointPlan.wholeCause(state, now: 1_000 + 86_400) != nil)
        state.laterBytes = 11
        #expect(PointPlan.wholeCause(state, now: 1_000 + 3_599) == nil)
        #expect(PointPlan.wholeCause(state, now: 1_000 + 3_600) != nil)
        #expect(PointPlan.wholeCause(state, now: 999) != nil)
        // So many points are too many for a restore, whatever they contain.
        (state.laterBytes, state.laterPoints) = (5, 1_999)
        #expect(PointPlan.wholeCause(state, now: 1_001) == nil)
        state.laterPoints = 2_000
        #expect(PointPlan.wholeCause(state, now: 1_001) != nil)
    }

    @Test func `a record of another format counts as none`() async throws {
        try await withScratchFolder { folder in
            #expect(try CopierState.read(in: folder) == nil)
            var state = CopierState(target: "/t")
            state.failure = .init(reason: .full, detail: "no room", since: 5)
            try state.write(to: folder)
            #expect(try CopierState.read(in: folder) == state)
            try PrivateFile.write(Array("{}".utf8), to: folder + "/copier.json")
            #expect(try CopierState.read(in: folder) == nil)
        }
    }
}
