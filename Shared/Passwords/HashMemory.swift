import Glibc

/// The memory for one hash: separate pages, so that all of it goes back to the kernel when the hash is done.
///
/// The heap would keep 19 MiB for each thread that has ever hashed.
enum HashMemory {
    /// The size of a large page, which causes one fault instead of 512; sizes are rounded up to it.
    private static let pageBytes = 2 << 20

    /// `allocate_fptr` of libargon2: 0, or its error code for no memory.
    static func allocate(_ memory: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?, _ byteCount: Int) -> Int32 {
        guard let length = rounded(byteCount), let memory = unsafe memory,
            let pages = unsafe mmap(nil, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
            unsafe pages != MAP_FAILED
        else { return noMemory }
        // A kernel without large pages returns small ones.
        unsafe madvise(pages, length, MADV_HUGEPAGE)
        unsafe memory.pointee = pages.assumingMemoryBound(to: UInt8.self)
        return 0
    }

    /// `deallocate_fptr` of libargon2.
    static func free(_ memory: UnsafeMutablePointer<UInt8>?, _ byteCount: Int) {
        guard let memory = unsafe memory, let length = rounded(byteCount) else { return }
        unsafe munmap(memory, length)
    }

    /// `ARGON2_MEMORY_ALLOCATION_ERROR`.
    private static let noMemory: Int32 = -22

    private static func rounded(_ byteCount: Int) -> Int? {
        let (sum, isTooMuch) = byteCount.addingReportingOverflow(pageBytes - 1)
        return byteCount > 0 && !isTooMuch ? sum / pageBytes * pageBytes : nil
    }
}
