import Glibc

/// Judges the room of a folder's file system.
enum DoctorDisk {
    private static let faultBytes: UInt64 = 256 << 20
    private static let warningBytes: UInt64 = 1 << 30

    static func finding(_ folder: String) -> Finding {
        var status = statvfs()
        guard unsafe statvfs(folder, &status) == 0 else {
            return .fault(
                "disk", "\(folder) does not exist or cannot be read. Set LATCHKEY_DATA_DIR, or mount the folder")
        }
        let (free, overflows) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
        return judged(
            folder, freeBytes: overflows ? .max : free, freeFiles: status.f_files == 0 ? nil : UInt64(status.f_favail))
    }

    /// - Parameter freeFiles: The number of files that can still be made; `nil` on a file system without such a number.
    static func judged(_ folder: String, freeBytes: UInt64, freeFiles: UInt64?) -> Finding {
        let text = "\(freeBytes >> 20) MB free in \(folder)"
        if let freeFiles, freeFiles < 100 {
            return .fault("disk", "\(folder) has room for \(freeFiles) more files. Remove some")
        }
        if freeBytes < faultBytes { return .fault("disk", "\(text). Make room: without it users cannot sign in") }
        if freeBytes < warningBytes { return .warning("disk", "\(text). Make room") }
        return .ok("disk", text)
    }
}
