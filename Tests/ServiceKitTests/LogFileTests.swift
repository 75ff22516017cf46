import Foundation
import Glibc
import Testing

@testable import ServiceKit

@Suite(.timeLimit(.minutes(5))) struct LogFileTests {
    @Test(arguments: [true, false]) func `a log that was moved or removed is made again`(isMoved: Bool) throws {
        let folder = FileManager.default.temporaryDirectory.path + "/" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/otp.log"
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        let sink = LogSink(descriptor: descriptor)
        sink.append(Array("one\n".utf8))
        sink.flush(milliseconds: 5_000)
        if isMoved {
            try FileManager.default.moveItem(atPath: path, toPath: folder + "/old.log")
        } else {
            try FileManager.default.removeItem(atPath: path)
        }
        sink.append(Array("two\n".utf8))
        sink.flush(milliseconds: 5_000)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "two\n")
        if isMoved { #expect(try String(contentsOfFile: folder + "/old.log", encoding: .utf8) == "one\n") }
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
    }
}
