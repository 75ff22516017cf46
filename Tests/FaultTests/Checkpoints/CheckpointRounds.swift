import Foundation
import GRDB
import TestSupport
import Testing

extension Faults {
    /// Two processes of our own engine on one file, which checkpoint as often as they can (`CheckpointLock`).
    @Suite(.serialized, .timeLimit(.minutes(120))) struct CheckpointRounds {
        @Test func `no checkpoint of two processes loses an acknowledged row`() async throws {
            let run = FaultRun("checkpoints", shortRounds: 300)
            let (folder, start) = (try Self.makeFolder(), ContinuousClock.now)
            defer { Self.remove(folder) }
            let loads = (0..<CheckpointLoad.processes).map { process in
                CheckpointLoad(
                    folder: folder, process: process, cycles: run.rounds / CheckpointLoad.processes, seed: run.seed)
            }
            await withTaskGroup(of: Void.self) { group in
                for load in loads { group.addTask { await Self.process(load) } }
            }
            let results = try loads.map { try $0.result() }
            let (cycles, impossible, lost, acknowledged) = results.reduce(into: (0, 0, 0, 0)) { sum, result in
                sum.0 += result.cycles
                sum.1 += result.impossibleStates
                sum.2 += result.lostRows
                sum.3 += result.acknowledged
            }
            let findings = try Self.integrityProblems(loads[0].path)
            run.report(
                "\(cycles) cycles, \(impossible) impossible states, \(lost) rows lost of \(acknowledged) acknowledged, "
                    + "integrity_check \(findings.isEmpty ? "ok" : "found damage"), in \(ContinuousClock.now - start)")
            #expect(impossible == 0 && lost == 0 && findings == [])
            #expect(cycles >= run.rounds / CheckpointLoad.processes * CheckpointLoad.processes && acknowledged > cycles)
        }

        /// A process of its own; the watch of the engine would end it with status 1.
        private static func process(_ load: CheckpointLoad) async {
            await #expect(processExitsWith: .success) { [load = load as CheckpointLoad] in try await load.run() }
        }

        private static func integrityProblems(_ path: String) throws -> [String] {
            try DatabaseQueue(path: path).read { try String.fetchAll($0, sql: "PRAGMA integrity_check") }
                .filter { $0 != "ok" }
        }

        /// In memory where that is possible: nothing here depends on a disk, and syncs would take most of the time.
        private static func makeFolder() throws -> String {
            let memory = "/dev/shm"
            let base =
                FileManager.default.isWritableFile(atPath: memory)
                ? memory + "/" : FileManager.default.temporaryDirectory.path(percentEncoded: false)
            let folder = base + "latchkey-checkpoints-\(UUID().uuidString)"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
            return folder
        }

        private static func remove(_ folder: String) {
            do { try FileManager.default.removeItem(atPath: folder) } catch { print("folder stays: \(folder)") }
        }
    }
}
