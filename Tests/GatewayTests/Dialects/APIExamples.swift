import Foundation
import StrictJSON
import TestSupport

@testable import GatewayCore

/// Requests and responses of a running stack: `Tests/Vectors/API/NAME.json` has one of each operation with JSON bodies.
enum APIExamples {
    static func all(of dialect: String) throws -> [String: APIDocument.Example] {
        let path = LatchkeyStack.root + "Tests/Vectors/API/\(dialect).json"
        guard FileManager.default.fileExists(atPath: path) else { return [:] }
        let text = Array(try Data(contentsOf: URL(filePath: path)))
        let members = try StrictJSON.parse(text, limits: .own).objectValue?.members ?? []
        return Dictionary(
            uniqueKeysWithValues: members.map {
                ($0.name, APIDocument.Example(request: $0.value["request"], response: $0.value["response"]))
            })
    }
}
