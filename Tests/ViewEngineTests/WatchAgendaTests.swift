import Testing

@testable import ViewEngine

/// What is decided from what waits and from what failed before, without a server.
@Suite("What a program that watches views refreshes next")
struct WatchAgendaTests {
  private typealias Reason = ViewBacklog.Reason

  private static let changed = Reason.changedRows(source: "app.visit", count: 3)
  private static let untracked = Reason.untracked(source: "app.far")

  /// `app.base`, which `app.top` reads, and `app.other`.
  private func backlog(
    base: [Reason] = [], top: [Reason] = [], other: [Reason] = [], baseLeft: Double? = nil,
    topLeft: Double? = nil
  ) -> ViewBacklog {
    ViewBacklog([
      "app.base": .init(freshLeft: baseLeft, reasons: base),
      "app.top": .init(freshLeft: topLeft, reasons: top, reads: ["app.base"]),
      "app.other": .init(freshLeft: nil, reasons: other),
    ])
  }

  private func agenda(
    _ backlog: ViewBacklog, of names: [String] = [], after tries: WatchTries = WatchTries(),
    at now: Double = 0
  ) -> WatchAgenda {
    WatchAgenda(backlog, of: names, after: tries, at: now)
  }

  @Test("is nothing where nothing waits, and the date is looked at once a minute")
  func nothing() {
    let agenda = agenda(backlog())
    #expect(agenda.due == [] && agenda.pause == 60)
  }

  @Test("is what waits, with what reads it, and of named views these and what they read")
  func due() {
    #expect(agenda(backlog(base: [Self.changed])).due == ["app.base", "app.top"])
    #expect(agenda(backlog(top: [Self.changed])).due == ["app.top"])
    let both = backlog(base: [Self.changed], other: [Self.changed])
    #expect(agenda(both, of: ["app.top"]).due == ["app.base", "app.top"])
    #expect(agenda(both, of: ["app.other"]).due == ["app.other"])
    #expect(agenda(both, of: ["app.gone"]).due == [])
  }

  @Test("leaves alone what may lag behind, until it may no more, or what reads it may not")
  func fresh() {
    let both = agenda(backlog(base: [Self.changed], baseLeft: 12, topLeft: 7))
    #expect(both.due == [] && both.pause == 7)
    #expect(agenda(backlog(base: [Self.changed], baseLeft: -1, topLeft: 7)).due == ["app.base"])
    #expect(agenda(backlog(base: [Self.changed], baseLeft: 12)).due == ["app.base", "app.top"])
  }

  @Test("takes what nobody watches once a minute, or as often as its definition says")
  func untracked() {
    var tries = WatchTries()
    let view = backlog(base: [Self.untracked])
    #expect(agenda(view).due == ["app.base", "app.top"])
    _ = tries.succeed("app.base", at: 0)
    let later = agenda(view, after: tries, at: 25)
    #expect(later.due == [] && later.pause == 35)
    #expect(agenda(view, after: tries, at: 60).due == ["app.base", "app.top"])
    #expect(
      agenda(backlog(base: [Self.untracked], baseLeft: -1), after: tries, at: 25).due.contains("app.base"))
    // Something else waits for it.
    #expect(
      agenda(backlog(base: [Self.untracked, Self.changed]), after: tries, at: 25).due.contains("app.base"))
  }

  @Test(
    "tries what failed after longer and longer pauses, a second after something else waits, and others at once"
  )
  func failed() {
    var tries = WatchTries()
    var isNews: [Bool] = []
    for time in [0.0, 1, 3, 7] {
      isNews.append(tries.fail("app.base", "division by zero", waiting: [Self.changed], at: time))
    }
    #expect(isNews == [true, false, false, false])
    let view = backlog(base: [Self.changed], other: [Self.changed])
    let early = agenda(view, after: tries, at: 14.5)
    #expect(early.due == ["app.other"] && early.pause == 0.5)
    #expect(agenda(view, after: tries, at: 15).due == ["app.base", "app.top", "app.other"])
    let more = backlog(base: [.changedRows(source: "app.visit", count: 4)])
    #expect(agenda(more, after: tries, at: 7.5).due == [])
    #expect(agenda(more, after: tries, at: 8).due == ["app.base", "app.top"])
    for time in 0..<20 { _ = tries.fail("app.base", "division by zero", waiting: [], at: Double(time)) }
    #expect(tries.pause(of: "app.base", waiting: [], at: 19) == 60)
    let isOther = tries.fail("app.base", "overflow", waiting: [], at: 20)
    let hadFailed = [30.0, 31].map { tries.succeed("app.base", at: $0) }
    #expect(isOther && hadFailed == [true, false])
    #expect(agenda(view, after: tries, at: 31).due.contains("app.base"))
  }
}
