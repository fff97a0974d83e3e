/// Why a sample was not written.
public enum SampleError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The number of rows asked for cannot be made.
  case rows(Int, least: Int, most: Int)
  /// The release's name does not have the form that the sample knows.
  case release(String, form: String)
  /// There is no quirk of the name.
  case unknownQuirk(String, nearest: String?)
  /// Two quirks that exclude each other.
  case quirksClash(String, String)
  /// A quirk that no file of the bundle can have.
  case quirkWithoutEffect(String, formats: [String], source: String?)
  /// A quirk of archives, where files of a folder are asked for.
  case quirkWithoutArchive(String)
  /// A quirk that the release's files do not have.
  case quirkOfOtherRelease(String, release: String, form: String)
  /// The pipeline reads no file of the sample in a format.
  case formatNotRead(String, known: [String])
  /// The sample has no source of the name.
  case unknownSource(String, known: [String])
  /// Every source is left out.
  case nothingLeft
  /// A column has no place in a fixed-width line.
  case noTextForm(source: String, column: String)
  /// A number has more digits than its place in a fixed-width line.
  case numberTooWide(column: String, width: Int)
  /// A formula made a number that 64 bits do not hold.
  case overflow(table: String)
  /// The file could not be written.
  case cannotWrite(path: String, reason: String)

  /// A sentence for the user.
  public var description: String {
    switch self {
    case .rows(let rows, let least, let most):
      "a sample of \(rows) rows cannot be made; ask for \(least) to \(most)"
    case .release(let name, let form):
      "a sample of release '\(name)' cannot be made; its name does not have the form \(form)"
    case .unknownQuirk(let name, let nearest):
      "unknown quirk '\(name)'; "
        + (nearest.map { "did you mean '\($0)'?" } ?? "'rivulet sample PIPELINE --quirk list' names them")
    case .quirksClash(let one, let other):
      "the quirks '\(one)' and '\(other)' exclude each other; leave one out"
    case .quirkWithoutEffect(let name, let formats, let source):
      "the quirk '\(name)' would change nothing: no \(formats.joined(separator: ", ")) "
        + (source.map { "of '\($0)' " } ?? "")
        + "in the bundle has what it is about; ask for another format or leave it out"
    case .quirkWithoutArchive(let name):
      "the quirk '\(name)' is of archives; write a zip, not a folder, or leave it out"
    case .quirkOfOtherRelease(let name, let release, let form):
      "the quirk '\(name)' is of releases of the form \(form), not of \(release); ask for one with --release"
    case .formatNotRead(let name, let known):
      "no file of the sample is read as \(name); ask for \(known.joined(separator: ", "))"
    case .unknownSource(let name, let known):
      "the sample has no source '\(name)'; it has \(known.joined(separator: ", "))"
    case .nothingLeft: "every source is left out; leave one in"
    case .noTextForm(let source, let column):
      "'\(source)' cannot be written as txt: its layout says no place for '\(column)'"
    case .numberTooWide(let column, let width):
      "a number of '\(column)' does not fit into the \(width) bytes that a txt has for it; correct its formula"
    case .overflow(let table):
      "a formula of the table '\(table)' in sample.yaml makes a number that is too large"
    case .cannotWrite(let path, let reason): "cannot write '\(path)': \(reason)"
    }
  }
}
