import Definitions
import Foundation
import Sampler
import Testing

/// Synthetic bundles for tests, made when they are asked for and gone with the process.
///
///     let path = try Samples.make(quirks: ["bare-cr", "ctrl-z"], rows: 20)
///     try program.run("run", "cms-rvu", path)
public enum Samples {
  /// Makes a bundle in the publisher's layout and gives its path; its file is called as the publisher calls
  /// the release, `RVU25D.zip`.
  /// - Parameters:
  ///   - pipeline: whose `sample.yaml` is taken.
  ///   - quirks: in which ways its files differ, as `rivulet sample PIPELINE --quirk list` names them, each
  ///     `name` or `name:source`.
  ///   - formats: in which of csv, txt and xlsx each table is there; when nil the first that has the quirks.
  ///   - without: sources that are left out.
  ///   - rows: how many rows the main table has; the sample's own number when nil.
  ///   - seed: decides the values.
  ///   - release: the release; when nil the sample's own, or one that has the quirks.
  ///   - name: the name of the file; when nil that of the release, such as `RVU25D.zip`.
  /// - Returns: the bundle's path.
  /// - Throws: what the sampler throws.
  public static func make(
    _ pipeline: String = "cms-rvu", quirks: [String] = [], formats: [String]? = nil,
    without: [String] = [], rows: Int? = nil, seed: UInt64 = 1, release: String? = nil, name: String? = nil
  ) throws -> String {
    let sampler = try self.sampler(pipeline)
    let folder = scratch.path + "/" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let release = try release ?? sampler.standardRelease(with: quirks)
    let path = folder + "/" + (name ?? "RVU\(release.dropFirst(2)).zip")
    let known = try formats?.map { name in
      try #require(SampleFormat(rawValue: name), "'\(name)' is no format of a sample")
    }
    try sampler.write(
      to: path, rows: rows, seed: seed, release: release, formats: known, quirks: quirks, without: without)
    return path
  }

  /// The names of all quirks that a pipeline's sample can have.
  public static func quirks(_ pipeline: String = "cms-rvu") throws -> [String] {
    try sampler(pipeline).quirks.map(\.name)
  }

  private static func sampler(_ pipeline: String) throws -> Sampler {
    try Sampler.load(Project.load(SharedData.project).pipeline(named: pipeline))
  }

  private static let scratch: Folder = {
    atexit { try? FileManager.default.removeItem(atPath: Samples.scratch.path) }
    return Folder()
  }()

  private struct Folder {
    let path = FileManager.default.temporaryDirectory.appending(path: "rivulet-samples-\(getpid())").path
  }
}
