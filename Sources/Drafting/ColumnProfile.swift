import Values

/// What has been seen of a column's values.
struct ColumnProfile {
  /// Distinct values are counted up to here.
  private static let mostDistinct = 1 << 17
  /// What is tried; one that a value is not of falls away.
  private static let tried: [ValueType] = [
    .npi, .date(.iso), .date(.monthDayYear), .date(.compact), .phone, .integer, .state, .country,
  ]

  /// How many records were looked at.
  private(set) var records = 0
  /// In how many of them there is nothing, or what says that nothing does.
  private(set) var blanks = 0
  /// The texts that say so by their form, as they are written; and the words that do, with how often each
  /// comes.
  private(set) var marks: Set<String> = []
  private(set) var words: [String: Int] = [:]
  /// How many values look like a whole name of a person in one field.
  private(set) var names = 0
  /// How many look like the name of an organisation.
  private(set) var organizations = 0
  /// How many values are zeros alone, by which lists of numbers say that there is none, and how these are
  /// written.
  private(set) var zeros = 0
  private(set) var zeroTexts: Set<String> = []
  /// The values in capitals, where they are few; nil where they are not.
  private(set) var codes: Set<String>? = []
  /// For each of the first records what tells its value from others, 0 for a blank.
  private(set) var prints: [UInt32] = []
  /// Whether no value came twice, as far as was looked.
  private(set) var isUnique = true
  /// How many values are NPIs, and how many telephone numbers.
  private(set) var (npis, phones) = (0, 0)
  /// How many telephone numbers have an extension.
  private(set) var extensions = 0
  /// Whether a number begins with a zero that is not alone.
  private(set) var hasLeadingZero = false
  /// Whether every value is three to five digits, nine, or a ZIP+4 with a dash; and how many have the four
  /// digits more.
  private(set) var isZIP = true
  private(set) var addOns = 0
  /// Whether every value is two letters.
  private(set) var isTwoLetters = true
  /// Whether every value is a plain number, and the most digits before and after its point.
  private(set) var isDecimal = true
  private(set) var (wholeDigits, decimals) = (1, 0)
  /// Whether a telephone number is written with more than its digits.
  private(set) var hasPunctuatedPhone = false

  private var fitting = Self.tried
  /// So many values are few, and so many records are held against each other.
  private static let (mostCodes, mostPrints) = (12, 20_000)
  private var seen: Set<[UInt8]> = []

  /// How many values there are.
  var values: Int { records - blanks }

  /// Whether all values are of a type.
  func fits(_ type: ValueType) -> Bool { values > 0 && fitting.contains(type) }

  /// Takes a value in UTF-8 in, or a blank.
  mutating func take(_ value: [UInt8]) {
    records += 1
    let range = value.span.trimmed()
    guard !range.isEmpty else {
      blanks += 1
      note(print: 0)
      return
    }
    let text = Array(value[range])
    if Placeholder.isMark(text.span) || Placeholder.isWord(text.span) {
      blanks += 1
      note(print: 0)
      let written = String(decoding: text, as: UTF8.self)
      if Placeholder.isMark(text.span) { marks.insert(written) } else { words[written, default: 0] += 1 }
      return
    }
    if isUnique {
      // Of more than that it is not known, and a key is better left to the user.
      isUnique = seen.count < Self.mostDistinct && seen.insert(text).inserted
      if !isUnique { seen = [] }
    }
    note(print: text.reduce(0x811C_9DC5) { ($0 ^ UInt32($1)) &* 0x0100_0193 } | 1)
    if codes != nil {
      codes?.insert(String(decoding: text, as: UTF8.self).uppercased())
      if codes?.count ?? 0 > Self.mostCodes { codes = nil }
    }
    fitting = fitting.filter { isOf($0, text) }
    count(text)
  }

  private mutating func note(print: UInt32) {
    if prints.count < Self.mostPrints { prints.append(print) }
  }

  private func isOf(_ type: ValueType, _ text: [UInt8]) -> Bool {
    var scratch: [UInt8] = []
    return switch type.normalise(text.span, scratch: &scratch) {
    case .slice, .scratch: true
    case .blank, .invalid: false
    }
  }

  /// Two names, and a comma, a credential, or what people are called by before them.
  private func isWholeName(_ text: [UInt8]) -> Bool {
    guard !text.contains(where: { (0x30...0x39).contains($0) }) else { return false }
    let isMarked =
      text.contains(0x2C) || isOf(.fullName(.credential), text) || text.starts(with: Array("Dr".utf8))
    return isMarked && isOf(.fullName(.first), text) && isOf(.fullName(.last), text)
  }

  private mutating func count(_ text: [UInt8]) {
    if isOf(.npi, text) { npis += 1 }
    if OrganizationName.isOne(text.span) {
      organizations += 1
    } else if isWholeName(text) {
      names += 1
    }
    if text.allSatisfy({ $0 == 0x30 }) {
      zeros += 1
      zeroTexts.insert(String(decoding: text, as: UTF8.self))
    }
    let isPhone = isOf(.phone, text)
    if isPhone {
      phones += 1
      let isPlain = text.allSatisfy { (0x30...0x39).contains($0) }
      hasPunctuatedPhone = hasPunctuatedPhone || !isPlain
      if isOf(.phoneExtension, text) { extensions += 1 }
    }
    let digits = text.count { (0x30...0x39).contains($0) }
    if digits == text.count, text.count > 1, text[0] == 0x30 { hasLeadingZero = true }
    let isDashed = text.contains(0x2D) && digits == text.count - 1 && (8...9).contains(digits)
    isZIP = isZIP && (digits == text.count && [3, 4, 5, 8, 9].contains(digits) || isDashed)
    if isOf(.zip4, text) { addOns += 1 }
    isTwoLetters =
      isTwoLetters && text.count == 2
      && text.allSatisfy { (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) }
    guard isDecimal else { return }
    isDecimal = isOf(.decimal(precision: 38, scale: 18), text)
    guard isDecimal else { return }
    let parts = text.drop { $0 == 0x2B || $0 == 0x2D }.split(
      separator: 0x2E, maxSplits: 1, omittingEmptySubsequences: false)
    wholeDigits = max(wholeDigits, parts.first?.count ?? 0)
    decimals = max(decimals, parts.count > 1 ? parts[1].count : 0)
    if let whole = parts.first, whole.count > 1, whole.first == 0x30 { hasLeadingZero = true }
  }
}
