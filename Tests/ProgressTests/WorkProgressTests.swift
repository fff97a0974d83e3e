import Progress
import Testing

/// What work says of itself while it goes on.
@Suite("The progress of work")
struct WorkProgressTests {
  private let work = WorkProgress(of: "sources")

  @Test("counts what its pieces came to, and begins again where a part is tried again")
  func pieces() throws {
    let part = work.begin("a run").part("a source", of: 300)
    func counts() throws -> [Int?] {
      let state = try #require(work.state().tasks.first?.parts.first)
      return [state.bytes, state.rows, state.rejects, state.total]
    }
    #expect(try counts() == [nil, nil, nil, 300])
    part.begin()
    part.note(bytes: 100, rows: 10, rejects: 1)
    part.beginPiece()
    part.note(bytes: 50, rows: 5, rejects: 0)
    #expect(try counts() == [150, 15, 1, 300])
    part.begin()
    #expect(try counts() == [nil, nil, nil, 300])
    part.note(bytes: 20, rows: 2, rejects: 0)
    #expect(try counts() == [20, 2, 0, 300])
  }

  @Test("knows a stage's time from its beginning to the next, and its step only while it goes on")
  func stages() throws {
    let task = work.begin("a run")
    task.enter("stage")
    task.step(StepState("rule", 1, of: 3))
    task.stepForward()
    task.enter("stage")
    #expect(work.state().tasks[0].stages.map(\.name) == ["stage"])
    #expect(work.state().tasks[0].step == StepState("rule", 2, of: 3))
    task.enter("check")
    let now = work.state().tasks[0]
    #expect(now.stages.map(\.name) == ["stage", "check"] && now.step == nil)
    let later = work.state(at: .greatestFiniteMagnitude).tasks[0]
    #expect(later.stages[0] == now.stages[0] && later.stages[1].seconds > now.stages[1].seconds)
  }

  @Test("counts a task once that has ended, and knows whose processes of the server are at work")
  func tasks() {
    work.expect(3)
    let (first, second) = (work.begin("first"), work.begin("second"))
    first.ask([1])
    let part = second.part("a source")
    part.begin()
    part.enter("keys", asking: [2, 3])
    #expect(work.state().processes == [1, 2, 3])
    part.end()
    #expect(work.state().processes == [1])
    work.end(first)
    work.end(first)
    #expect(work.state().ended == 1 && work.state().tasks.map(\.name) == ["second"])
    #expect(work.state().total == 3 && work.state().noun == "sources")
  }

  @Test("of a part that makes its keys no longer has a time left, and a rate that stays")
  func keys() throws {
    let part = work.begin("a run").part("a source", of: 100)
    part.begin()
    part.note(bytes: 50, rows: 10, rejects: 0)
    part.enter("keys")
    let now = try #require(work.state().tasks.first?.parts.first)
    let later = try #require(work.state(at: .greatestFiniteMagnitude).tasks.first?.parts.first)
    #expect(later.seconds == now.seconds && later.secondsLeft == nil && later.activity == "keys")
  }
}
