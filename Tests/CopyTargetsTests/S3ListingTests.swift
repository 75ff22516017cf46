import Testing

@testable import CopyTargets

@Suite struct S3ListingTests {
    private func listing(_ text: String) -> S3Listing? {
        S3Listing(Array("<ListBucketResult>\(text)</ListBucketResult>".utf8), under: "p/")
    }

    @Test func `keys of others are skipped`() throws {
        let row = "<Contents><Key>%</Key><Size>3</Size></Contents>"
        let keys = ["p/a", "q/a", "p/../a", "p/A", "p/&lt;", "p/", "p"]
        let page = try #require(listing(keys.map { row.replacing("%", with: $0) }.joined()))
        #expect(page.files == [CopyTargetFile(name: "a", bytes: 3)])
        #expect(page.next == nil)
    }

    @Test(arguments: [
        "<Contents><Key>p/a</Key></Contents>", "<Contents><Key>p/a</Key><Size>-1</Size></Contents>",
        "<Contents><Size>1</Size></Contents>", "<Contents><Key>p/a</Key><Size>99999999999999999999</Size></Contents>",
        "<IsTruncated>true</IsTruncated>",
        "<IsTruncated>true</IsTruncated><NextContinuationToken></NextContinuationToken>",
    ]) func `another form is no listing`(text: String) { #expect(listing(text) == nil) }

    @Test func `no listing is none`() {
        for text in ["", "<html></html>", "<Error><Code>x</Code></Error>"] {
            #expect(S3Listing(Array(text.utf8), under: "") == nil)
        }
        #expect(S3Listing([0xFF], under: "") == nil)
    }

    @Test func `a token is read with its entities, and encoded again`() throws {
        let text = "<IsTruncated>true</IsTruncated><NextContinuationToken>a&amp;b/+=</NextContinuationToken>"
        let page = try #require(listing(text))
        #expect(page.next == "a&b/+=")
        #expect(
            S3Listing.query(prefix: "p/", after: page.next)
                == "continuation-token=a%26b%2F%2B%3D&list-type=2&prefix=p%2F")
    }
}
