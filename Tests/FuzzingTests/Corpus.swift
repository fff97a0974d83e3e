import Fuzzing
import Host
import TestSupport

/// `Tests/Corpus`: for each reader a folder of inputs, among them all that one once failed at.
enum Corpus {
  static let folder = Path.join(SharedData.project, "Tests/Corpus")

  /// The folder of a reader.
  static func folder(of reader: FuzzedReader) -> String { Path.join(folder, reader.name) }

  /// The paths of a reader's inputs.
  static func files(of reader: FuzzedReader) throws -> [String] {
    let folder = folder(of: reader)
    return try Files.list(folder).map { Path.join(folder, $0) }
  }
}
