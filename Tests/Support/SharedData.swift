import Foundation
public import Testing

/// Publishers' own files, which are not part of the project: `RIVULET_SHARED_DATA`, else `../shared/data`.
public enum SharedData {
  /// The project's folder.
  public static let project = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path

  private static let folder =
    ProcessInfo.processInfo.environment["RIVULET_SHARED_DATA"] ?? project + "/../shared/data"

  /// Where a file would be.
  public static func path(_ name: String) -> String { folder + "/" + name }

  /// Whether a file is there.
  public static func has(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }
}

extension Trait where Self == ConditionTrait {
  /// The test runs where the publisher's files are, and says that it was skipped where they are not.
  public static func needs(_ files: String...) -> Self {
    let missing = files.filter { !SharedData.has($0) }
    return .enabled(
      if: missing.isEmpty,
      "\(missing.joined(separator: ", ")) missing: set RIVULET_SHARED_DATA to the folder that has it")
  }
}
