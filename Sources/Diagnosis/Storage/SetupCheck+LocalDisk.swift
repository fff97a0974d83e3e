import Host
import PostgreSQL
import Reporting

extension SetupCheck {
  /// Whether there is room for what the program keeps on this machine.
  static let localDisk = SetupCheck(
    "local-disk", .storage,
    because: "workbooks and inner archives are unpacked in TMPDIR, and downloads are kept"
  ) { subject in
    let places = [
      ("temporary files", Machine.environment("TMPDIR") ?? "/tmp"), ("downloads", subject.cacheFolder),
    ]
    return places.compactMap { use, folder in folder.map { room(for: use, in: $0) } }
  }

  /// The room on the device of a folder, or of the nearest one above that is there.
  static func room(for use: String, in folder: String) -> Finding {
    var place = Path.canonical(folder)
    while !Files.exists(place), place != "/" { place = Path.parent(place) }
    guard let free = Files.freeSpace(at: place) else {
      return .unseen("the free space of \(folder), for \(use), cannot be seen")
    }
    return room(for: use, free: free, at: place)
  }

  /// What so many free bytes mean.
  static func room(for use: String, free: Int, at place: String) -> Finding {
    let found = "\(ProgressUnits.bytes(free)) free for \(use), at \(place)"
    let fix = "du -xh --max-depth=2 \(place.shellWord) | sort -h | tail -20"
    if free < 100_000_000 { return .error(found, fix: fix) }
    return free < 2_000_000_000 ? .warning(found, fix: fix) : .ok(found)
  }
}
