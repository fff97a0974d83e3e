import Testing
import Values

@Suite struct DecimalRangeTests {
  /// In ascending order; those in one row are equal.
  static let ascending = [
    ["-99999999999999999999999999999999999999"], ["-1000.00", "-1000"], ["-0.26"],
    ["-0.25", "-.25", "-0.250"], ["-0.00000000000000000000000000000000000001"],
    ["0", "-0", "+0.00", "0.", ".0"],
    ["0.00000000000000000000000000000000000001"], ["0.5", ".5", "00.50"], ["1", "1.0", "+1", "001."],
    ["1.01"],
    ["9999", "9999.00"], ["9999.000000000000000001"], ["999999999999999999"], ["1000000000000000000"],
    ["9223372036854775808"], ["99999999999999999999999999999999999999"],
  ]

  @Test func `numbers compare by value whatever their scale`() throws {
    for (leftRank, lefts) in Self.ascending.enumerated() {
      for (rightRank, rights) in Self.ascending.enumerated() {
        for left in lefts {
          for right in rights {
            let (first, second) = (try #require(ScaledDecimal(left)), try #require(ScaledDecimal(right)))
            #expect((first < second) == (leftRank < rightRank), "\(left) < \(right)")
            #expect((first == second) == (leftRank == rightRank), "\(left) == \(right)")
          }
        }
      }
    }
  }

  @Test func `a range holds what lies between its ends, by either way of asking`() throws {
    for (lowRank, lows) in Self.ascending.enumerated() {
      for (highRank, highs) in Self.ascending.enumerated() {
        let low = try #require(ScaledDecimal(lows[0]))
        let high = try #require(ScaledDecimal(highs[0]))
        guard lowRank <= highRank else {
          #expect(DecimalRange(low: low, high: high) == nil)
          continue
        }
        let range = try #require(DecimalRange(low: low, high: high))
        for (rank, texts) in Self.ascending.enumerated() {
          for text in texts {
            let isInside = lowRank <= rank && rank <= highRank
            #expect(contains(range, text) == isInside, "\(text) \(range)")
            #expect(range.contains(try #require(ScaledDecimal(text))) == isInside, "\(text) \(range)")
          }
        }
      }
    }
  }

  @Test(arguments: ["", "-", ".", "1.2.3", "1x", " 1", "1e3", "999999999999999999999999999999999999999"])
  func `what is no number is in no range`(text: String) throws {
    #expect(ScaledDecimal(text) == nil)
    let low = try #require(ScaledDecimal("-1"))
    let high = try #require(ScaledDecimal("99999999999999999999999999999999999999"))
    let range = try #require(DecimalRange(low: low, high: high))
    #expect(!contains(range, text))
  }

  @Test(arguments: ["0", "-0.25", "0.05", "12.50", "-1000", "0.00000000000000000000000000000000000001"])
  func `a number is written as it was read`(text: String) {
    #expect(ScaledDecimal(text)?.description == text)
  }

  private func contains(_ range: DecimalRange, _ text: String) -> Bool {
    range.contains(Array(text.utf8).span)
  }
}
