import CryptoPrimitives
import Glibc
import Storage

/// The file `….pages` next to a database: the pages that have changed since the continuous copy took them last.
///
/// The copier makes it. A process that copies frames of the log into the database marks their pages first. All of that happens
/// under `CheckpointLock`. Without the file nothing is marked. It is in no backup; a lost one costs a copy of the whole database.
///
/// Layout: 8 bytes of a name, 16 of the copier's id, 16 of the kernel's boot id, one that says whether marks are lost, 3 unused,
/// 12 of the marked position of the log, 8 of the time of the last copy; then one bit for each page.
final class PageMarks {
    static let suffix = ".pages"
    private static let name = Array("LKPAGES1".utf8)
    private static let headerBytes = 64
    private static let bitmapBytesMax = 1 << 29
    private static let blockBytes = 4_096
    private enum Place { static let copier = 8, boot = 24, lost = 40, position = 44, copiedAt = 56 }

    private let descriptor: Int32
    private let path: String

    private init(_ descriptor: Int32, _ path: String) { (self.descriptor, self.path) = (descriptor, path) }

    deinit { close(descriptor) }

    static func path(databasePath: String) -> String { FileFacts.target(of: databasePath) + suffix }

    /// Opens the marks of a database, or returns `nil` if there are none.
    static func open(databasePath: String) throws(StorageError) -> PageMarks? {
        let path = path(databasePath: databasePath)
        let descriptor = unsafe Glibc.open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else {
            guard errno == ENOENT else { throw StorageError(.io, "cannot open \(path): error \(errno)") }
            return nil
        }
        let marks = PageMarks(descriptor, path)
        return try marks.read(name.count, at: 0) == name ? marks : nil
    }

    /// Opens the marks of a database, or removes those that cannot be opened: the copier then copies the whole database, and
    /// checkpoints go on.
    static func openOrRemove(databasePath: String) throws(StorageError) -> PageMarks? {
        do { return try open(databasePath: databasePath) } catch {
            guard unsafe unlink(path(databasePath: databasePath)) == 0 || errno == ENOENT else { throw error }
            return nil
        }
    }

    /// Makes new marks without a page, in place of earlier ones. The caller has the lock.
    ///
    /// - Parameter copiedAt: Unix time in seconds of the last copy, from which its age is counted.
    static func create(
        databasePath: String, copier: [UInt8], position: LogPosition, copiedAt: Int64
    ) throws(StorageError) -> PageMarks {
        let path = path(databasePath: databasePath)
        let draft = path + ".new"
        _ = unsafe unlink(draft)
        let descriptor = unsafe Glibc.open(draft, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw StorageError(.io, "cannot make \(draft): error \(errno)") }
        let marks = PageMarks(descriptor, path)
        try FileOwner.give(draft, toOwnerOf: databasePath)
        var header = [UInt8](repeating: 0, count: headerBytes)
        header.replaceSubrange(0..<name.count, with: name)
        header.replaceSubrange(Place.copier..<Place.boot, with: copier.prefix(16))
        header.replaceSubrange(Place.boot..<Place.lost, with: BootID.current)
        header.replaceSubrange(Place.position..<Place.copiedAt, with: bytes(of: position))
        try marks.write(header, at: 0)
        try marks.setCopiedAt(copiedAt)
        guard unsafe rename(draft, path) == 0 else { throw StorageError(.io, "cannot move \(draft): error \(errno)") }
        return marks
    }

    /// Whether the marks were made by a copier and since the host has started.
    func isOf(copier: [UInt8]) throws(StorageError) -> Bool {
        try read(Place.lost - Place.copier, at: Place.copier) == copier + BootID.current
    }

    /// Whether pages may have changed without a mark, so that the whole database has to be copied.
    var isLost: Bool { get throws(StorageError) { try read(1, at: Place.lost) != [0] } }

    func setLost(_ isLost: Bool) throws(StorageError) { try write([isLost ? 1 : 0], at: Place.lost) }

    /// Notes that marks are lost; if not even that can be written, removes the file.
    func lose() throws(StorageError) {
        do { try setLost(true) } catch {
            guard unsafe unlink(path) == 0 || errno == ENOENT else { throw error }
        }
    }

    /// The position up to which the frames of the log are marked.
    var position: LogPosition {
        get throws(StorageError) {
            let numbers = try stride(from: Place.position, to: Place.copiedAt, by: 4).map { at throws(StorageError) in
                UInt32(truncatingIfNeeded: BigEndian.number(try read(4, at: at)[...]))
            }
            return LogPosition(salts: Array(numbers.prefix(2)), frames: numbers.last ?? 0)
        }
    }

    func setPosition(_ position: LogPosition) throws(StorageError) {
        try write(Self.bytes(of: position), at: Place.position)
    }

    /// The Unix time in seconds until which all changes are at the target; 0 before the first copy.
    var copiedAt: Int64 {
        get throws(StorageError) { Int64(clamping: BigEndian.number(try read(8, at: Place.copiedAt)[...])) }
    }

    func setCopiedAt(_ time: Int64) throws(StorageError) {
        try write(BigEndian.bytes(UInt64(clamping: time), count: 8), at: Place.copiedAt)
    }

    /// Marks pages.
    func add(_ pages: PageSet) throws(StorageError) {
        for start in stride(from: 0, to: pages.bits.count, by: Self.blockBytes) {
            let block = pages.bits[start..<min(start + Self.blockBytes, pages.bits.count)]
            guard block.contains(where: { $0 != 0 }) else { continue }
            var bits = try read(block.count, at: Self.headerBytes + start)
            bits += repeatElement(0, count: block.count - bits.count)
            for (index, byte) in block.enumerated() { bits[index] |= byte }
            try write(bits, at: Self.headerBytes + start)
        }
    }

    /// The marked pages.
    var pages: PageSet {
        get throws(StorageError) { PageSet(bits: try read(Self.bitmapBytesMax, at: Self.headerBytes)) }
    }

    /// Removes all marks.
    func clear() throws(StorageError) {
        guard ftruncate(descriptor, off_t(Self.headerBytes)) == 0 else {
            throw StorageError(.io, "cannot shorten \(path): error \(errno)")
        }
    }

    private static func bytes(of position: LogPosition) -> [UInt8] {
        (position.salts + [position.frames]).flatMap { BigEndian.bytes(UInt64($0), count: 4) }
    }

    /// Returns up to `count` bytes; fewer at the end of the file.
    private func read(_ count: Int, at offset: Int) throws(StorageError) -> [UInt8] {
        var facts = stat()
        guard unsafe fstat(descriptor, &facts) == 0 else { throw StorageError(.io, "cannot read \(path)") }
        var bytes = [UInt8](repeating: 0, count: max(0, min(count, Int(facts.st_size) - offset)))
        let done = unsafe pread(descriptor, &bytes, bytes.count, off_t(offset))
        guard done == bytes.count else { throw StorageError(.io, "cannot read \(path): error \(errno)") }
        return bytes
    }

    private func write(_ bytes: [UInt8], at offset: Int) throws(StorageError) {
        let done = unsafe pwrite(descriptor, bytes, bytes.count, off_t(offset))
        guard done == bytes.count else {
            throw StorageError(errno == ENOSPC ? .full : .io, "cannot write \(path): error \(errno)")
        }
    }
}

/// The kernel's id of this start of the host. Marks are not synced to disk, so those of an earlier start prove nothing.
enum BootID {
    static let current: [UInt8] = {
        let file = unsafe open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
        var text = [UInt8](repeating: 0, count: 64)
        let count = file >= 0 ? unsafe read(file, &text, text.count) : 0
        if file >= 0 { close(file) }
        // Without an id no marks of an earlier process count.
        guard count > 0 else { return SecureRandom.bytes(16) }
        return Array(SHA256.hash(Array(text.prefix(count))).prefix(16))
    }()
}
