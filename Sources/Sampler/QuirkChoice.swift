import Definitions

/// The quirks that a sample is asked to have.
struct QuirkChoice {
  /// General quirks, each with the source whose files it is for; nil for its own spread.
  private(set) var general: [(quirk: GeneralQuirk, source: String?)] = []
  /// In the order of the definition.
  private(set) var dataset: [DatasetQuirk] = []

  /// `names`: names of quirks, each `name` or `name:source`.
  init(_ names: [String], in definition: SampleDefinition) throws(SampleError) {
    var asked: Set<String> = []
    for text in names {
      let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
      guard let name = parts.first else { continue }
      if let quirk = GeneralQuirk(rawValue: name) {
        try add(quirk, source: parts.count > 1 ? parts[1] : nil, in: definition)
      } else if let quirk = definition.quirks.first(where: { $0.name == name }), parts.count == 1 {
        asked.insert(quirk.name)
      } else {
        let known = GeneralQuirk.allCases.map(\.rawValue) + definition.quirks.map(\.name)
        throw .unknownQuirk(text, nearest: NearestName.to(name, among: known))
      }
    }
    dataset = definition.quirks.filter { asked.contains($0.name) }
  }

  private mutating func add(
    _ quirk: GeneralQuirk, source: String?, in definition: SampleDefinition
  ) throws(SampleError) {
    if let source { try definition.check(source: source) }
    for other in general where other.quirk != quirk && quirk.group != nil && other.quirk.group == quirk.group
    {
      // Different files may differ.
      if source == nil || other.source == nil || source == other.source {
        throw .quirksClash(other.quirk.rawValue, quirk.rawValue)
      }
    }
    general.append((quirk, source))
  }

  /// The release that is made when none is asked for.
  func release(of definition: SampleDefinition) -> String {
    dataset.compactMap(\.standardRelease).first ?? definition.release.standard
  }

  /// Refuses a release that cannot have the quirks.
  func check(release: String) throws(SampleError) {
    for quirk in dataset {
      if let releases = quirk.releases, releases.groups(whole: release) == nil {
        throw .quirkOfOtherRelease(quirk.name, release: release, form: releases.text)
      }
    }
  }

  /// The formats that are written when none are asked for: the sample's own where it can have all the quirks,
  /// else the first that can, else all that can have one of them.
  func formats(of files: [SampleFile]) -> [SampleFormat] {
    let standard = files.map(\.standardFormat).first ?? .csv
    let needed = general.map(\.quirk.formats) + dataset.map(\.formats)
    let read = SampleFormat.allCases.filter { format in files.contains { $0.formats.contains(format) } }
    func isFull(_ format: SampleFormat) -> Bool { needed.allSatisfy { $0.contains(format) } }
    if isFull(standard) { return [standard] }
    if let format = read.first(where: isFull) { return [format] }
    let some = read.filter { format in needed.contains { $0.contains(format) } }
    return some.isEmpty ? [standard] : some
  }

  /// Refuses a quirk of the dataset that none of some files can have.
  func check(_ outputs: [(file: SampleFile, format: SampleFormat)]) throws(SampleError) {
    for quirk in dataset where !outputs.contains(where: { quirk.formats.contains($0.format) }) {
      throw .quirkWithoutEffect(quirk.name, formats: quirk.formats.map(\.rawValue), source: nil)
    }
  }

  /// The quirks of each of some files, and those of the archive.
  /// - Throws: ``SampleError/quirkWithoutEffect(_:reason:)`` for a quirk that none of them can have.
  func spread(
    over outputs: [(file: SampleFile, format: SampleFormat)]
  ) throws(SampleError) -> (files: [Set<GeneralQuirk>], archive: Set<GeneralQuirk>) {
    var files = outputs.map { _ in Set<GeneralQuirk>() }
    var archive: Set<GeneralQuirk> = []
    for choice in general {
      let quirk = choice.quirk
      if case .archive = quirk.spread {
        archive.insert(quirk)
        continue
      }
      var places = outputs.indices.filter { index in
        (choice.source.map { outputs[index].file.holds($0) } ?? true)
          && quirk.concerns(outputs[index].file, in: outputs[index].format)
      }
      if places.isEmpty {
        throw .quirkWithoutEffect(
          quirk.rawValue, formats: quirk.formats.map(\.rawValue), source: choice.source)
      }
      if case .firstFile = quirk.spread {
        // The first table that can, in each of its formats.
        let entry = outputs[places[0]].file.entry.texts
        places = places.filter { outputs[$0].file.entry.texts == entry }
      }
      for place in places { files[place].insert(quirk) }
    }
    return (files, archive)
  }
}
