import Foundation
import Host
import PostgreSQL
import TestSupport
import Testing
import ViewEngine

@testable import Definitions

/// ``RandomViews`` in a database of their own: refreshed, counted and compared.
struct RandomRefresh {
  let views: StoredViews
  private(set) var incremental = 0
  private(set) var full = 0
  private(set) var unchanged = 0

  /// Made and filled, in a database that is empty; one of the server of all tests when nil. Some views may be
  /// left out, for writers who are to be quick.
  init(
    in database: TestDatabase? = nil, without names: [String] = [], of family: RandomChanges.Family? = nil
  ) throws {
    var views = try StoredViews(RandomSources.sql, in: database)
    try RandomViews.define(in: &views)
    for name in names { views.forget(name) }
    let kept = family.map(RandomViews.added)
    for view in views.definitions where kept?.contains(view.name) == false { views.forget(view.name) }
    try views.make()
    self.views = views
    #expect(try differences() == [])
  }

  /// Refreshes while nobody else does, and compares; `label` says which round it was.
  mutating func refreshAndCompare(_ label: String) throws {
    for view in try views.refresh() where view.strategy == "incremental" {
      switch view.kind {
      case .incremental: incremental += 1
      case .full: full += 1
      case nil: unchanged += 1
      }
    }
    let found = try differences()
    try #require(found == [], "\(label): \(found.count) rows differ")
  }

  /// Every row of every stored view that is not as its SELECT has it now.
  func differences() throws -> [String] {
    try views.connection.transaction(settings: "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ") {
      try views.definitions.filter(\.isStored).flatMap { try views.differences(of: $0.name) }
    }
  }

  /// What the refreshes were, in words.
  var summary: String { "\(incremental) incremental, \(full) full, \(unchanged) with nothing to do" }

  /// How long to go on beyond the usual rounds, in seconds; 0 for not at all.
  static var fuzzSeconds: Double {
    ProcessInfo.processInfo.environment["RIVULET_FUZZ_SECONDS"].flatMap(Double.init) ?? 0
  }

  /// The seeds to try: that of the environment, else those given.
  static func seeds(_ usual: ClosedRange<UInt64>) -> [UInt64] {
    if let seed = ProcessInfo.processInfo.environment["RIVULET_SEED"].flatMap(UInt64.init) {
      return [seed]
    }
    if fuzzSeconds > 0 {
      let first = UInt64(Date().timeIntervalSince1970) << 8
      return (0..<UInt64(usual.count)).map { first + $0 }
    }
    return Array(usual)
  }

  /// Says what a seed has done so far, and how to repeat it.
  static func announce(_ what: String, seed: UInt64) { print("RIVULET_SEED=\(seed): \(what)") }
}
