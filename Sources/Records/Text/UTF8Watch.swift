import Values

/// Follows UTF-8 sequences byte by byte, across the pieces in which a stream comes.
struct UTF8Watch {
  /// The place of the first byte of the sequence that is under way.
  private var start = 0
  /// How many of its bytes have not come; 0 between sequences.
  private(set) var missing = 0
  private var low: UInt8 = 0x80
  private var high: UInt8 = 0xBF
  /// How many sequences of more than one byte were whole.
  private(set) var whole = 0
  /// How many were not, or did not begin as any does.
  private(set) var broken = 0

  /// Takes the next byte; gives the place of the first byte that is not part of a whole sequence, if this
  /// byte says one.
  @inline(__always)
  mutating func take(_ byte: UInt8, at place: Int) -> Int? {
    var fault: Int?
    if missing > 0 {
      if byte >= low, byte <= high {
        missing &-= 1
        (low, high) = (0x80, 0xBF)
        if missing == 0 { whole &+= 1 }
        return nil
      }
      fault = endSequence()
    }
    guard byte >= 0x80 else { return fault }
    guard let form = UTF8Form(lead: byte) else {
      broken &+= 1
      return fault ?? place
    }
    (start, missing, low, high) = (place, form.continuations, form.low, form.high)
    return fault
  }

  /// Ends the sequence under way; gives its place if there is one.
  mutating func endSequence() -> Int? {
    guard missing > 0 else { return nil }
    (missing, low, high) = (0, 0x80, 0xBF)
    broken &+= 1
    return start
  }
}
