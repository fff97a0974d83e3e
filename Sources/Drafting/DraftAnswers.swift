/// Whose the records of a list are.
public enum RecordSubject: String, CaseIterable, Sendable {
  case people, organizations, both
}

/// What the user says of a sample, where its columns and values do not tell for certain.
public struct DraftAnswers: Sendable {
  /// Whose the records are; nil leaves it to the sample.
  public var subject: RecordSubject?
  /// What columns mean, by what the header calls them, in words such as `last name`; `none` leaves one out.
  public var columns: [String: String] = [:]
  /// Whether records of one provider may be folded to one row; nil leaves it to the sample.
  public var folds: Bool?

  /// What leaves a column out.
  public static let none = "none"

  /// Nothing is said.
  public init() {}
}

/// Something that a sample does not tell for certain: what the draft takes it for, and the question that would
/// settle it.
public struct DraftDoubt: Sendable, Equatable {
  /// What a question is about.
  public enum Matter: Sendable, Equatable {
    /// Whose the records are.
    case subject
    /// What a column means.
    case column(String)
    /// Whether records of one key are one provider.
    case folding
  }

  /// What it is about.
  public let matter: Matter
  /// What is not certain, and what was assumed, in a sentence.
  public let remark: String
  /// The question.
  public let question: String
  /// The answers that there are, that which was assumed first. Empty where a column's meaning is asked for.
  public let choices: [String]
}
