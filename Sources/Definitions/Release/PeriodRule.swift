import Values

/// How a pipeline distinguishes a bundle that changes a release from one that is a release: by the period in
/// its name.
///
/// Such a bundle is merged into the published release. Pure functions of names.
public struct PeriodRule: Sendable, Hashable {
  /// Where a period is looked for.
  public enum Place: String, Sendable, Hashable, CaseIterable {
    /// The name of the archive or folder.
    case archiveName = "archive-name"
    /// The names of entries, or of the file where it is no archive.
    case entryName = "entry-name"
  }

  /// One way to find a period.
  public struct Recognizer: Sendable, Hashable {
    /// Where to look.
    public var place: Place
    /// What to look for, anywhere in a name.
    public var pattern: TextPattern
    /// The first day, as `YYYY-MM-DD` after filling in.
    public var from: GroupTemplate
    /// The last day; nil of a list that says what is the case on one day.
    public var to: GroupTemplate?

    /// The period that a name says; nil when it says none.
    fileprivate func period(in name: String) throws(PeriodError) -> Period? {
      guard let groups = pattern.groups(in: name) else { return nil }
      let first = from.filled(groups)
      let last = to?.filled(groups) ?? first
      for day in [first, last] where CalendarDay(iso: day) == nil { throw .notADay(day, name: name) }
      guard first <= last else { throw .endsBeforeItBegins(from: first, to: last, name: name) }
      return Period(from: first, to: last, isAsOf: to == nil)
    }
  }

  /// A way to find the last day that a whole release holds, where that is not its first in effect.
  public struct Whole: Sendable, Hashable {
    /// Where to look.
    public var place: Place
    /// What to look for, anywhere in a name.
    public var pattern: TextPattern
    /// The day, as `YYYY-MM-DD` after filling in.
    public var until: GroupTemplate
  }

  /// The ways to find a period; the first that answers decides.
  public var recognizers: [Recognizer]
  /// The ways to tell that a name is that of a whole release, and which day it holds.
  public var wholes: [Whole] = []

  /// The last day that a whole release holds, by the name of one of its files; nil where the name says none.
  /// - Throws: ``PeriodError/notADay(_:name:)`` where the name looks as if it said one.
  public func held(in name: String, at place: Place) throws(PeriodError) -> String? {
    for whole in wholes where whole.place == place {
      guard let groups = whole.pattern.groups(in: name) else { continue }
      let day = whole.until.filled(groups)
      guard CalendarDay(iso: day) != nil else { throw .notADay(day, name: name) }
      return day
    }
    return nil
  }

  /// The period that a name says.
  /// - Parameters:
  ///   - name: the last component of a path.
  ///   - place: what the name is of.
  /// - Returns: the period; nil when the name says none.
  /// - Throws: ``PeriodError`` where the name looks as if it said one.
  public func period(in name: String, at place: Place) throws(PeriodError) -> Period? {
    for recognizer in recognizers where recognizer.place == place {
      if let period = try recognizer.period(in: name) { return period }
    }
    return nil
  }
}

/// The days whose changes a bundle brings, both included.
public struct Period: Sendable, Hashable, CustomStringConvertible {
  /// The first day, `YYYY-MM-DD`.
  public var from: String
  /// The last day.
  public var to: String
  /// The bundle says what is the case on its one day, whatever was merged before; it is no step of a
  /// sequence.
  public var isAsOf: Bool

  /// Days, both included.
  public init(from: String, to: String, isAsOf: Bool = false) {
    self.from = from
    self.to = to
    self.isAsOf = isAsOf
  }

  /// Whether it is of the same days, however they were found.
  public func isOfSameDays(as other: Period) -> Bool { from == other.from && to == other.to }

  /// `2025-11-10 to 2025-11-16`, or the day alone.
  public var description: String { isAsOf ? from : "\(from) to \(to)" }
}

/// Why a name says no period although it looks as if it did.
public enum PeriodError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What the pattern makes is no day of the calendar.
  case notADay(String, name: String)
  /// The last day comes before the first.
  case endsBeforeItBegins(from: String, to: String, name: String)

  /// A sentence for the user.
  public var description: String {
    switch self {
    case .notADay(let day, let name): "\(name) names the day '\(day)', which is none of the calendar"
    case .endsBeforeItBegins(let from, let to, let name): "\(name) ends on \(to), before it begins on \(from)"
    }
  }
}

extension Period {
  /// The day after one that is written `YYYY-MM-DD`.
  public static func day(after day: String) -> String { moved(day, by: 1) }

  /// The day before one that is written `YYYY-MM-DD`.
  public static func day(before day: String) -> String { moved(day, by: -1) }

  /// A day of the calendar one day later or earlier; anything else stays as it is.
  private static func moved(_ text: String, by step: Int) -> String {
    guard let day = CalendarDay(iso: text) else { return text }
    var moved: [UInt8] = []
    CalendarDay(daysSince1970: day.daysSince1970 + step).write(to: &moved)
    return String(decoding: moved, as: UTF8.self)
  }
}

extension PeriodRule {
  /// Reads one recognizer, or a list of them.
  init?(_ node: YAMLNode, in file: DefinitionFile) {
    let nodes = if case .sequence(let items) = node.content { items } else { [node] }
    if nodes.isEmpty { file.report("'periods' is empty", at: node.mark) }
    (recognizers, wholes) = ([], [])
    for node in nodes {
      if case .mapping(let entries) = node.content, entries.contains(where: { $0.key == "holds" }) {
        if let whole = Whole(node, in: file) { wholes.append(whole) }
      } else if let recognizer = Recognizer(node, in: file) {
        recognizers.append(recognizer)
      }
    }
    if recognizers.isEmpty, !wholes.isEmpty { file.report("'periods' finds none", at: node.mark) }
  }

  /// A text with a day of the calendar, or with what makes one.
  fileprivate static func day(
    _ text: Marked<String>, of pattern: TextPattern?, in file: DefinitionFile
  ) -> GroupTemplate {
    if !text.value.contains("$"), CalendarDay(iso: text.value) == nil {
      file.report("'\(text.value)' is no day of the calendar", at: text.mark, hint: "write YYYY-MM-DD")
    }
    return GroupTemplate(text, of: pattern, in: file)
  }
}

extension PeriodRule.Whole {
  init?(_ node: YAMLNode, in file: DefinitionFile) {
    let keys = ["in", "pattern", "holds"]
    guard let fields = Fields(node, of: "periods", keys: keys, in: file) else { return nil }
    fields.need("in")
    let place: PeriodRule.Place? = fields.choice("in", of: "place")
    let pattern = fields.needText("pattern").flatMap { TextPattern($0, in: file) }
    let until = fields.needText("holds").map { PeriodRule.day($0, of: pattern, in: file) }
    guard let place, let pattern, let until else { return nil }
    (self.place, self.pattern, self.until) = (place, pattern, until)
  }
}

extension PeriodRule.Recognizer {
  init?(_ node: YAMLNode, in file: DefinitionFile) {
    let keys = ["in", "pattern", "from", "to", "on"]
    guard let fields = Fields(node, of: "periods", keys: keys, in: file) else { return nil }
    fields.need("in")
    let place: PeriodRule.Place? = fields.choice("in", of: "place")
    let pattern = fields.needText("pattern").flatMap { TextPattern($0, in: file) }
    if fields.has("on") {
      for key in ["from", "to"] where fields.has(key) {
        file.report(
          "a period is 'on' one day, or 'from' one 'to' another", at: fields.mark(of: key),
          hint: "leave '\(key)' or 'on' out")
      }
    } else {
      fields.need("from")
      fields.need("to")
    }
    func day(_ key: String) -> GroupTemplate? {
      fields.text(key).map { PeriodRule.day($0, of: pattern, in: file) }
    }
    to = day("to")
    guard let from = day("from") ?? day("on"), let place, let pattern else { return nil }
    self.from = from
    self.place = place
    self.pattern = pattern
  }
}
