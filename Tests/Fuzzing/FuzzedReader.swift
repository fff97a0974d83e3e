/// One of the program's readers, as it is fuzzed: any bytes are read to the end, and what is wrong with them
/// is thrown. A trap, a reading without an end and one that takes too much memory are faults of the reader.
///
/// ```swift
/// let folder = try FuzzFolder()
/// for reader in FuzzedReader.all { reader.run([UInt8]("a,b\n".utf8), in: folder) }
/// ```
public struct FuzzedReader: Sendable {
  /// Its name, which is that of its folder in `Tests/Corpus`.
  public let name: String
  /// The most bytes that an input has.
  public let longest: Int
  /// What its format is made of: words that random changes put in.
  public let words: [String]
  private let read: @Sendable (inout FuzzInput, FuzzFolder) throws -> Void

  init(
    _ name: String, longest: Int = 4096, words: [String] = [],
    read: @escaping @Sendable (inout FuzzInput, FuzzFolder) throws -> Void
  ) {
    (self.name, self.longest, self.words, self.read) = (name, longest, words, read)
  }

  /// Reads an input to its end, whatever is wrong with it.
  /// - Parameters:
  ///   - bytes: the input.
  ///   - folder: where readers of files find it.
  public func run(_ bytes: [UInt8], in folder: FuzzFolder) {
    var input = FuzzInput(bytes)
    do {
      try read(&input, folder)
    } catch {
      // What it says is made of the input too.
      _ = "\(error)"
    }
  }

  /// All readers, in the order in which they are reported.
  public static let all: [FuzzedReader] =
    records + archives + workbooks + trees + definitions + scripts + pages + loads + others

  /// The reader of a name; nil where there is none.
  public static func named(_ name: String) -> FuzzedReader? { all.first { $0.name == name } }
}
