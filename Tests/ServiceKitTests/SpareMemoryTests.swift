import Glibc
import Testing

@testable import ServiceKit

@Suite struct SpareMemoryTests {
    @Test func `code of a file is given back`() {
        let line: Substring = "5603f7ac4000-5603fa1fb000 r-xp 00001000 fe:00 16244938            /usr/bin/gateway"
        #expect(SpareMemory.codeRange(of: line) == 0x5603_f7ac_4000..<0x5603_fa1f_b000)
    }

    @Test func `the code of the libraries is found too, which stands at the end of a long file`() throws {
        let function = unsafe try #require(dlsym(nil, "getpid"))
        #expect(SpareMemory.codeRanges().contains { $0.contains(UInt(bitPattern: function)) })
    }

    @Test(arguments: [
        "5603fa1fc000-5603fa312000 r--p 02737000 fe:00 16244938 /usr/bin/gateway",
        "5603fa312000-5603fc826000 rw-p 0284d000 fe:00 16244938 /usr/bin/gateway",
        "5603fa312000-5603fc826000 rwxp 0284d000 fe:00 16244938 /usr/bin/gateway",
        "7ffd0a1f2000-7ffd0a1f4000 r-xp 00000000 00:00 0 [vdso]",
        "7f1c40000000-7f1c40021000 r-xp 00000000 00:00 0",
        "5603fa1fb000-5603f7ac4000 r-xp 00001000 fe:00 16244938 /usr/bin/gateway",
        "r-xp", "",
    ]) func `nothing else is`(line: String) {
        #expect(SpareMemory.codeRange(of: line[...]) == nil)
    }
}
