extension Character {
  /// How many columns of a terminal it takes: none, one, or two of East Asian letters and most pictures.
  public var columns: Int {
    // Nearly all text is plain.
    if let byte = asciiValue { return byte >= 0x20 && byte < 0x7F ? 1 : 0 }
    var sum = 0
    for scalar in unicodeScalars {
      // It makes a picture of the character before it.
      if scalar.value == 0xFE0F { return 2 }
      sum += scalar.columns
    }
    // What joins into one character is drawn as one.
    return min(2, sum)
  }
}

extension Unicode.Scalar {
  fileprivate var columns: Int {
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: return 0
    default: break
    }
    // The vowels and ends of Korean syllables are drawn into the consonant before them.
    if (0x1160...0x11FF).contains(value) || (0xD7B0...0xD7FF).contains(value) { return 0 }
    return Self.wide.contains { $0.contains(value) } ? 2 : 1
  }

  /// What Unicode's EastAsianWidth calls wide or full width, by blocks.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x231A...0x231B, 0x2329...0x232A, 0x23E9...0x23EC, 0x23F0...0x23F0, 0x23F3...0x23F3,
    0x25FD...0x25FE, 0x2614...0x2615, 0x2648...0x2653, 0x267F...0x267F, 0x2693...0x2693, 0x26A1...0x26A1,
    0x26AA...0x26AB, 0x26BD...0x26BE, 0x26C4...0x26C5, 0x26CE...0x26CE, 0x26D4...0x26D4, 0x26EA...0x26EA,
    0x26F2...0x26F3, 0x26F5...0x26F5, 0x26FA...0x26FA, 0x26FD...0x26FD, 0x2705...0x2705, 0x270A...0x270B,
    0x2728...0x2728, 0x274C...0x274C, 0x274E...0x274E, 0x2753...0x2755, 0x2757...0x2757, 0x2795...0x2797,
    0x27B0...0x27B0, 0x27BF...0x27BF, 0x2B1B...0x2B1C, 0x2B50...0x2B50, 0x2B55...0x2B55, 0x2E80...0x303E,
    0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
    0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DFF,
    0x1AFF0...0x1B2FF, 0x1F004...0x1F004, 0x1F0CF...0x1F0CF, 0x1F18E...0x1F18E, 0x1F191...0x1F19A,
    0x1F200...0x1F320, 0x1F32D...0x1F335, 0x1F337...0x1F37C, 0x1F37E...0x1F393, 0x1F3A0...0x1F3CA,
    0x1F3CF...0x1F3D3, 0x1F3E0...0x1F3F0, 0x1F3F4...0x1F3F4, 0x1F3F8...0x1F43E, 0x1F440...0x1F440,
    0x1F442...0x1F4FC, 0x1F4FF...0x1F53D, 0x1F54B...0x1F54E, 0x1F550...0x1F567, 0x1F57A...0x1F57A,
    0x1F595...0x1F596, 0x1F5A4...0x1F5A4, 0x1F5FB...0x1F64F, 0x1F680...0x1F6C5, 0x1F6CC...0x1F6CC,
    0x1F6D0...0x1F6D2, 0x1F6D5...0x1F6D7, 0x1F6DC...0x1F6DF, 0x1F6EB...0x1F6EC, 0x1F6F4...0x1F6FC,
    0x1F7E0...0x1F7EB, 0x1F7F0...0x1F7F0, 0x1F90C...0x1F93A, 0x1F93C...0x1F945, 0x1F947...0x1F9FF,
    0x1FA70...0x1FAFF, 0x20000...0x3FFFD,
  ]
}

extension StringProtocol {
  /// How many columns of a terminal the text takes.
  public var columns: Int { reduce(0) { $0 + $1.columns } }

  /// As much of the text as fits into so many columns; what is cut off ends in `...` where there is room.
  public func cut(toColumns width: Int) -> String {
    if columns <= width { return String(self) }
    let dots = width > 6 ? "..." : ""
    return String(prefix(columns: Swift.max(0, width - dots.count))) + dots
  }

  /// The text in lines of at most so many columns, broken at blanks where there are some; at least one line.
  public func wrapped(toColumns width: Int) -> [String] {
    let width = Swift.max(2, width)
    var lines: [String] = []
    var line = ""
    var used = 0
    for word in split(separator: " ", omittingEmptySubsequences: false) {
      var word = word[...]
      if !line.isEmpty, used + 1 + word.columns > width {
        lines.append(line)
        (line, used) = ("", 0)
      } else if !line.isEmpty {
        line += " "
        used += 1
      }
      // A word that no line can hold is broken itself.
      while word.columns > width - used {
        let head = word.prefix(columns: width - used)
        guard !head.isEmpty else { break }
        lines.append(line + head)
        (line, used) = ("", 0)
        word = word[head.endIndex...]
      }
      line += word
      used += word.columns
    }
    return lines + [line]
  }

  /// As many characters as fit into so many columns.
  fileprivate func prefix(columns width: Int) -> SubSequence {
    var used = 0
    return prefix { character in
      used += character.columns
      return used <= width
    }
  }
}
