import Values

/// How a pipeline finds out which release a bundle is: pure functions of names and texts.
public struct ReleaseRule: Sendable, Hashable {
  /// Where a release's name is looked for.
  public enum Place: Sendable, Hashable {
    /// The name of the archive or folder.
    case archiveName
    /// The name of a source's entry, or of the file where it is no archive.
    case entryName(source: String)
    /// The names of all entries that are loaded, in the order of the pipeline's sources, with `/` between them:
    /// of files none of which tells the release alone.
    case entryNames
    /// The text of the records before the header of a source's entry.
    case banner(source: String)
  }

  /// One way to find the name.
  public struct Recognizer: Sendable, Hashable {
    /// Where to look.
    public var place: Place
    /// What to look for, anywhere in the text.
    public var pattern: TextPattern
    /// The name that the pattern's groups make, in the letter case of the pipeline's releases.
    public var name: GroupTemplate
    /// What to write for a group that is exactly this word, without case: `October` is `D`.
    public var words: [String: String]

    /// The release that a text names, in whatever letter case; nil when it names none.
    func release(in text: some StringProtocol) -> String? {
      guard let groups = pattern.groups(in: text) else { return nil }
      let translated = groups.enumerated().map { index, group in
        index == 0 ? group : words.first { $0.key.lowercased() == group.lowercased() }?.value ?? group
      }
      return name.filled(translated)
    }
  }

  /// From when to when releases of some name are in effect.
  public struct Effect: Sendable, Hashable {
    /// Matches the whole name of a release.
    public var pattern: TextPattern
    /// The first day, as `YYYY-MM-DD` after filling in.
    public var from: GroupTemplate
    /// The last day; nil when there is no end.
    public var to: GroupTemplate?
  }

  /// How the names of a pipeline's releases are written.
  public enum LetterCase: String, Sendable, Hashable, CaseIterable {
    /// `2025D`.
    case upper
    /// `nppes-2025-11`.
    case lower
  }

  /// How names are written, in whatever letter case they come.
  public var letterCase = LetterCase.upper
  /// The ways to find the name; the first that answers names the release.
  public var recognizers: [Recognizer]
  /// The dates; the first that matches the name counts.
  public var effects: [Effect]
  /// What a correction's name has more at its end than the name of the release it corrects: `R\d*`.
  public var correction: TextPattern?
  /// What tells whose releases are held against each other: those for which its groups are the same; nil where
  /// all of a pipeline's are.
  public var series: TextPattern?

  /// A release's name as it is written.
  public func spelled(_ name: String) -> String {
    switch letterCase {
    case .upper: name.uppercased()
    case .lower: name.lowercased()
    }
  }

  /// A rule that finds nothing.
  init() { (recognizers, effects) = ([], []) }

  /// The sources whose banner is asked for the release.
  public var bannerSources: [String] {
    recognizers.compactMap { if case .banner(let source) = $0.place { source } else { nil } }
  }

  /// The sources whose entry's name is asked for the release.
  public var namedSources: [String] {
    recognizers.compactMap { if case .entryName(let source) = $0.place { source } else { nil } }
  }

  /// The release that a text names.
  /// - Parameters:
  ///   - text: the last component of a path or of an entry's name, or a banner: the text of the records before
  ///     the header, ``HeaderMatch/banner``.
  ///   - place: what the text is of.
  /// - Returns: the release's name, in the letter case of the pipeline's releases; nil where the text says none.
  public func release(in text: String, at place: Place) -> String? {
    recognizers.lazy.filter { $0.place == place }.compactMap { $0.release(in: text) }.first.map(spelled)
  }

  /// Whether two releases are of one series, so that the later one may be held against the other.
  public func areOfOneSeries(_ one: String, _ other: String) -> Bool {
    guard let series else { return true }
    guard let first = series.groups(in: one), let second = series.groups(in: other) else { return false }
    return first.dropFirst() == second.dropFirst()
  }

  /// Whether what one place says may be beside what a place asked before it said.
  ///
  /// Equal names agree. A correction's name agrees with that of the release it corrects, as banners seldom
  /// say that they are corrected: an archive `rvu25ar.zip`, 2025AR, agrees with a banner of 2025A. The
  /// reverse does not agree: an archive of 2025A does not hold 2025AR.
  public func agrees(_ first: String, with other: String) -> Bool {
    let first = first.uppercased()
    let other = other.uppercased()
    if first == other { return true }
    guard let correction, first.hasPrefix(other) else { return false }
    let suffix = first.dropFirst(other.count)
    return !suffix.isEmpty && correction.groups(whole: suffix) != nil
  }

  /// The days on which a release is in effect.
  /// - Parameter release: its name, in any case.
  /// - Returns: the first and the last day.
  /// - Throws: ``ReleaseError`` where the name fits no rule, or what it says is no day.
  public func effectiveDates(of release: String) throws(ReleaseError) -> EffectiveDates {
    let release = spelled(release)
    for effect in effects {
      guard let groups = effect.pattern.groups(whole: release) else { continue }
      let from = effect.from.filled(groups)
      let to = effect.to?.filled(groups)
      for day in [from, to].compactMap(\.self) where CalendarDay(iso: day) == nil {
        throw .notADay(day, release: release)
      }
      return EffectiveDates(from: from, to: to)
    }
    throw .unknownName(release)
  }
}

/// The days on which a release is in effect, both included.
public struct EffectiveDates: Sendable, Hashable {
  /// The first day, `YYYY-MM-DD`.
  public var from: String
  /// The last day, `YYYY-MM-DD`; nil when there is no end.
  public var to: String?

  /// Days, both included.
  public init(from: String, to: String?) { (self.from, self.to) = (from, to) }
}

/// Why a release has no effective dates.
public enum ReleaseError: Error, Sendable, Hashable, CustomStringConvertible {
  /// No pattern under `effective` matches the name.
  case unknownName(String)
  /// The pattern matches, but what it makes is no day of the calendar.
  case notADay(String, release: String)

  /// A sentence for the user.
  public var description: String {
    switch self {
    case .unknownName(let name):
      "the pipeline does not know when a release '\(name)' is in effect; no pattern under"
        + " release.effective matches it"
    case .notADay(let day, let release):
      "release '\(release)' would be in effect on '\(day)', which is no day of the calendar"
    }
  }
}
