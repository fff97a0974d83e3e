import Definitions
import Host
import PipelineEngine
import PostgreSQL

extension SetupCheck {
  /// Whether the folders that `nightly` looks into can be looked into.
  static let watchedFolders = SetupCheck(
    "watched-folders", .definitions, because: "'rivulet nightly' loads what is new in them"
  ) { subject in
    let watched = try subject.project().nightly.watch
    let findings = watched.compactMap { watch -> Finding? in
      do throws(FileError) {
        let listing = try FolderListing(watch)
        guard let first = listing.unreadable.first else { return nil }
        return .warning(
          "\(watch.folder): \(listing.unreadable.count) of its files cannot be looked at; \(first)",
          fix: "ls -lL \(watch.folder.shellWord)")
      } catch {
        let fix =
          error.isMissing
          ? "mkdir -p \(watch.folder.shellWord)" : "chmod u+rx \(watch.folder.shellWord)"
        return .error("the folder of \(watch.pipeline): \(error)", fix: fix)
      }
    }
    if watched.isEmpty { return [.ok("none is named in rivulet.yaml")] }
    return findings.isEmpty ? [.ok("\(watched.count) can be read")] : findings
  }
}
