import Testing
import Values

@Suite struct SHA256Tests {
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
  ])
  func `the digests are those of FIPS 180`(text: String, digest: String) {
    #expect(SHA256.hex(of: text) == digest)
    #expect(SHA256.hex(of: Array(text.utf8)) == digest)
  }

  @Test func `the digest does not depend on how the bytes are cut`() {
    let bytes = (0..<200).map { UInt8($0) }
    let whole = SHA256.hex(of: bytes)
    for cut in 0...bytes.count {
      var hash = SHA256()
      hash.update(bytes.span.extracting(0..<cut))
      hash.update(bytes.span.extracting(cut..<bytes.count))
      #expect(hash.hexadecimal() == whole)
    }
  }

  @Test func `a digest can be looked at and continued`() {
    var hash = SHA256()
    hash.update(Array("ab".utf8).span)
    #expect(hash.hexadecimal() == SHA256.hex(of: "ab"))
    hash.update(Array("c".utf8).span)
    #expect(hash.finish().count == SHA256.byteCount)
    #expect(hash.hexadecimal() == SHA256.hex(of: "abc"))
  }
}
