import Testing

@testable import SupervisorCore

/// Operations ports stay across starts.
@Suite struct OperationsPortsTests {
    /// Takes the ports of processes, of which `taken` are in use, and returns them with the warnings.
    private func take(
        _ names: [String], from ports: inout OperationsPorts, taken: Set<UInt16> = []
    ) throws -> (ports: [UInt16], notes: [String]) {
        var (next, found, notes): (UInt16, [UInt16], [String]) = (30_000, [], [])
        for name in names {
            found.append(
                try ports.take(
                    name, isFree: { !taken.contains($0) },
                    next: { () throws(StartFailure) in
                        next += 1
                        return next
                    }, note: { notes.append($0) }))
        }
        return (found, notes)
    }

    @Test func `a second start has the ports of the first one, and new processes get others`() throws {
        var first = OperationsPorts(parsing: nil)
        #expect(try take(["gateway", "otp"], from: &first).ports == [30_001, 30_002])
        #expect(first.text == "gateway 30001\notp 30002\n")
        var second = OperationsPorts(parsing: first.text)
        let again = try take(["otp", "gateway"], from: &second)
        #expect(again.ports == [30_002, 30_001] && again.notes.isEmpty && second.text == first.text)
        #expect(second.isKept(30_001) && !second.isKept(30_003))
    }

    @Test func `a port that is taken is replaced with a warning, and stays the new one`() throws {
        var ports = OperationsPorts(parsing: "gateway 21000\notp-2 21001\n")
        let found = try take(["gateway"], from: &ports, taken: [21_000])
        #expect(
            found.ports == [30_001] && found.notes.count == 1 && found.notes[0].contains("21000 of gateway is taken"))
        #expect(ports.text == "gateway 30001\notp-2 21001\n")
    }

    @Test(arguments: [
        "", "gateway", "gateway x\n", "gateway 0", "gateway 70000", "gateway 1 2", "a 21000\ngateway 21000",
    ])
    func `lines that are no port, and ports of two processes, are not used`(text: String) throws {
        var ports = OperationsPorts(parsing: text)
        #expect(try take(["gateway"], from: &ports).ports == [30_001])
    }
}
