/// Why a sample was not written.
public enum SampleError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The number of rows asked for cannot be made.
  case rows(Int, least: Int, most: Int)
  /// The release's name does not have the form that the sample knows.
  case release(String, form: String)
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
    case .overflow(let table):
      "a formula of the table '\(table)' in sample.yaml makes a number that is too large"
    case .cannotWrite(let path, let reason): "cannot write '\(path)': \(reason)"
    }
  }
}
