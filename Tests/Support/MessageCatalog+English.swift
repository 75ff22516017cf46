import Foundation
package import Policies

extension MessageCatalog {
    /// The English texts that ship, and no others.
    package static let english: MessageCatalog = {
        let folder = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/") + "/deploy/policies"
        do {
            let all = try MessageCatalog.load(try Policy.load(named: "howru", directory: folder), directory: folder)
            return MessageCatalog(fallback: "en", byLocale: ["en": all.texts(for: ["en"]).texts])
        } catch {
            fatalError("\(folder): \(error)")
        }
    }()
}

extension MessageTexts {
    /// The English texts that ship.
    package static let english = MessageCatalog.english.texts(for: []).texts
}
