import TestSupport
import Testing

@testable import MigrationEngine

@Suite("Texts that differ")
struct ChangedTextTests {
  @Test(
    "are shown by what differs",
    arguments: [
      ("a", "b", "was a, now b"), ("a\nb", "a\nc", "line 2 was 'b', now 'c'"),
      ("a\nb", "a\n  b", "line 2 has other blanks: was 'b', now '  b'"),
      ("a\nb \nc", "a\nb\nc", "line 2 has other blanks: was 'b ', now 'b'"),
    ])
  func shown(was: String, now: String, text: String) {
    #expect(ChangedText(was, now).description == text)
  }

  @Test("never say of nothing that it is nothing now", arguments: 1...40)
  func something(seed: Int) {
    var numbers = RandomNumbers(seed: UInt64(seed))
    for _ in 1...50 {
      let texts = [1, 2].map { _ in
        (0..<40).map { _ in numbers.pick(["a", "b", " a", "long line of text", ""]) }.joined(separator: "\n")
      }
      #expect(!ChangedText(texts[0], texts[1]).description.contains("was nothing, now nothing"))
    }
  }
}
