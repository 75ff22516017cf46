import CMalloc

/// Memory that a process has but does not use.
package enum SpareMemory {
    /// Returns the free pages of the heap to the kernel. glibc keeps them below any block that is in use, so a process in which many
    /// objects existed at once would appear large for ever.
    package static func releaseHeap() { malloc_trim(0) }
}
