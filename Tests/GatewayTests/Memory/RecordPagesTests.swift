import Glibc
import TestSupport
import Testing

@testable import EdgeHTTP

/// The memory of an encrypting handler's buffers.
@Suite(.serialized) struct RecordPagesTests {
    private static let pageBytes = Int(sysconf(Int32(_SC_PAGESIZE)))

    private func residentPages(at address: UInt, byteCount: Int) -> Int {
        var states = [UInt8](repeating: 0, count: byteCount / Self.pageBytes)
        let start = unsafe UnsafeMutableRawPointer(bitPattern: address)
        guard unsafe mincore(start, byteCount, &states) == 0 else { return -1 }
        return states.count { $0 & 1 == 1 }
    }

    private func fill(_ address: UInt, byteCount: Int) throws {
        let start = unsafe try #require(UnsafeMutableRawPointer(bitPattern: address))
        unsafe memset(start, 7, byteCount)
    }

    @Test func `each buffer gets its place once, and others none`() throws {
        let pages = try #require(RecordPages())
        let records = try #require(pages.lend(RecordPages.recordBytes))
        let plain = try #require(pages.lend(RecordPages.plainBytes))
        #expect(records.isMultiple(of: UInt(Self.pageBytes)) && plain == records + UInt(RecordPages.recordBytes))
        #expect(pages.lend(RecordPages.recordBytes) == nil && pages.lend(512) == nil)
        #expect(pages.areAllLent && RecordPages.isLent(records) && !RecordPages.isLent(records + 16))
        #expect(RecordPages.takeBack(records) && !RecordPages.takeBack(records) && !pages.areAllLent)
        #expect(RecordPages.takeBack(plain))
    }

    @Test func `what is given back is gone from memory, and can be used again`() throws {
        let pages = try #require(RecordPages())
        let records = try #require(pages.lend(RecordPages.recordBytes))
        let plain = try #require(pages.lend(RecordPages.plainBytes))
        // Pages that others had keep their memory for the next user.
        #expect(pages.release())
        for _ in 0..<2 {
            try fill(records, byteCount: Self.pageBytes + 1)
            try fill(plain, byteCount: RecordPages.plainBytes)
            #expect(residentPages(at: records, byteCount: RecordPages.recordBytes) == 2)
            #expect(
                residentPages(at: plain, byteCount: RecordPages.plainBytes) == RecordPages.plainBytes / Self.pageBytes)
            #expect(pages.release())
            #expect(residentPages(at: records, byteCount: RecordPages.recordBytes + RecordPages.plainBytes) == 0)
        }
        #expect(RecordPages.takeBack(records) && RecordPages.takeBack(plain))
    }

    @Test func `pages are nobody else's before their owner and both buffers are gone`() async throws {
        var owner = RecordPages()
        let records = try #require(owner?.lend(RecordPages.recordBytes))
        let plain = try #require(owner?.lend(RecordPages.plainBytes))
        owner = nil
        #expect(RecordPages.takeBack(plain))
        #expect(!places(200).contains(records))
        #expect(RecordPages.takeBack(records))
        // Suites that run beside this one may take them first.
        try await eventually("they are had again") { places(400).contains(records) }
    }

    /// Takes so many pages, and frees them again; returns where they lie.
    private func places(_ count: Int) -> Set<UInt> {
        let taken = (0..<count).compactMap { _ in RecordPages() }
        let places = taken.compactMap { $0.lend(RecordPages.recordBytes) }
        #expect(Set(places).count == count)
        for place in places { #expect(RecordPages.takeBack(place)) }
        return Set(places)
    }
}
