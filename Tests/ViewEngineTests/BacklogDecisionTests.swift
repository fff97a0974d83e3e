import Testing

@testable import ViewEngine

/// What is decided from what was seen, without a server.
@Suite("What a view lags behind by, and what a refresh does about it")
struct BacklogDecisionTests {
  private typealias Reason = ViewBacklog.Reason

  private static let truncated = Reason.marked(source: "app.visit", "truncated")
  private static let changed = Reason.changedRows(source: "app.visit", count: 3)
  private static let untracked = Reason.untracked(source: "app.far")

  /// `app.base`, which `app.top` reads, which `app.peak` reads.
  private func backlog(_ reasons: [Reason], isFresh: Bool = false) -> ViewBacklog {
    ViewBacklog([
      "app.base": .init(freshLeft: isFresh ? 60 : -60, reasons: reasons),
      "app.top": .init(freshLeft: nil, reads: ["app.base"]),
      "app.peak": .init(freshLeft: 60, reads: ["app.top"]),
    ])
  }

  @Test("is nothing where nothing was seen")
  func exact() {
    let backlog = backlog([])
    #expect(backlog.entries.values.allSatisfy { !$0.isBehind && !$0.isStale && $0.pending == 0 })
    #expect(backlog["app.other"] == nil)
  }

  @Test("goes from a view to those that read it, and to those that read these")
  func readers() {
    let backlog = backlog([Self.changed])
    #expect(backlog["app.base"]?.reasons == [Self.changed] && backlog["app.base"]?.pending == 3)
    #expect(backlog["app.top"]?.reasons == [.reads("app.base")])
    #expect(backlog["app.peak"]?.reasons == [.reads("app.top")])
  }

  @Test("makes a view stale unless it may lag behind, whatever it reads")
  func stale() {
    let backlog = backlog([Self.changed], isFresh: true)
    #expect(backlog["app.base"]?.isBehind == true && backlog["app.base"]?.isStale == false)
    #expect(backlog["app.top"]?.isStale == true && backlog["app.peak"]?.isStale == false)
  }

  @Test("where nobody can say counts for the readers once the view is stale")
  func untracked() {
    #expect(backlog([Self.untracked], isFresh: true)["app.top"]?.isBehind == false)
    #expect(backlog([Self.untracked, Self.changed], isFresh: true)["app.top"]?.isBehind == true)
    #expect(backlog([Self.untracked], isFresh: false)["app.top"]?.isBehind == true)
  }

  @Test("is said once, and not of triggers that a table which has just come cannot have")
  func sentences() {
    let rows = [1, 2].map {
      ViewBacklog.Publication(source: "app.visit", release: "2025A", table: "stage.visit_\($0)")
    }
    let came = rows.map { Reason.marked(source: "app.visit", "changed: release 2025A came", rows: $0) }
    #expect(backlog(came)["app.base"]?.sentences == ["app.visit was changed: release 2025A came"])
    let attached = backlog([.partitions(source: "app.visit"), .unwatched(source: "app.visit")])
    #expect(
      attached["app.base"]?.sentences == ["tables were attached to app.visit or detached from it"])
  }

  // MARK: What a refresh does

  private func pending(_ reasons: [Reason]) -> PendingChanges {
    func source(_ name: String, _ capture: [String]) -> RegisteredView.Source {
      RegisteredView.Source(name: name, position: 1, change: "groups", capture: capture, queue: nil)
    }
    return PendingChanges(
      reasons,
      of: RegisteredView(
        name: "app.base", number: 1, strategy: "incremental", hash: "", state: .whole, followsDate: false,
        sources: [source("app.visit", ["id"]), source("app.fee", ["release"])]))
  }

  @Test("is nothing where nothing waits, and where only what it reads was behind, which comes first")
  func nothing() {
    #expect(pending([]).isEmpty && pending([.reads("app.other")]).isEmpty)
    #expect(!pending([Self.untracked]).isEmpty && pending([Self.untracked]).rebuild == nil)
  }

  @Test(
    "is to compute all groups, for the first reason that asks for it",
    arguments: [
      ([Reason.neverFilled, .code], "it was never filled"),
      ([.date(shown: "2025-01-01", wanted: "2025-01-02")], "it shows 2025-01-01, not 2025-01-02"),
      ([changed, truncated], "app.visit was truncated"),
      ([.partitions(source: "app.visit")], "tables were attached to app.visit or detached from it"),
      ([.code], "a function or a plain view that it is computed with has changed"),
    ])
  func all(reasons: [ViewBacklog.Reason], rebuild: String) {
    #expect(pending(reasons).rebuild == rebuild)
    #expect(pending(reasons).hasOtherCode == reasons.contains(.code))
  }

  @Test(
    "is to compute the groups of a queue and of releases, whose tables must be there unless the release says all"
  )
  func groups() {
    func came(_ source: String, _ table: String?) -> Reason {
      .marked(source: source, "changed", rows: .init(source: source, release: "2025A", table: table))
    }
    let some = pending([came("app.visit", "stage.visit_1"), came("app.fee", nil), Self.changed])
    #expect(some.rebuild == nil && some.queued == ["app.visit"])
    #expect(some.publications.map(\.source) == ["app.fee", "app.visit"])
    #expect(
      pending([came("app.visit", nil)]).rebuild
        == "the rows of release 2025A of app.visit cannot be looked at")
  }

  @Test("is not done where changes are not seen, or were lost with their queue")
  func blind() {
    #expect(!pending([.unwatched(source: "app.visit")]).isWatched && pending([]).isWatched)
    #expect(pending([.lostQueue(source: "app.visit")]).hasLostQueue && !pending([]).hasLostQueue)
  }
}
