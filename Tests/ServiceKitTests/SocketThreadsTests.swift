import Testing

@testable import ServiceKit

struct SocketThreadsTests {
    @Test(arguments: [("3", 2), ("1", 1), ("ffffffff,fffffffe", 63), ("00000000", 0)])
    func `the cores that a process may run on are counted`(mask: String, count: Int) {
        let status = "Name:\tgateway\nCpus_allowed:\t\(mask)\nCpus_allowed_list:\t0\n"
        #expect(SocketThreads.coreCount(inStatus: status) == count)
    }

    @Test func `without the line nothing is known`() {
        #expect(SocketThreads.coreCount(inStatus: "Name:\tgateway\nCpus_allowed_list:\t0\n") == nil)
    }
}
