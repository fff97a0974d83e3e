import PipelineCore
import Testing

@Suite("The plan of a publication")
struct PublicationPlanTests {
  private func revision(_ number: Int) -> ReleaseRevision {
    ReleaseRevision(release: "2025D", revision: number)
  }

  private func part(
    _ target: String, _ number: Int, isThere: Bool = true, isAttached: Bool = false, hasTarget: Bool = true
  ) -> ReleasePart {
    ReleasePart(
      target: target, partition: "\(target)_\(number)", rows: 1, isThere: isThere, isAttached: isAttached,
      hasTarget: hasTarget)
  }

  private func subject(_ number: Int, isAttached: Bool) -> PublicationPlan.Subject {
    PublicationPlan.Subject(
      revision(number),
      [part("cms.rvu", number, isAttached: isAttached), part("cms.gpci", number, isAttached: isAttached)])
  }

  @Test func `The first revision is attached`() throws {
    let plan = try PublicationPlan(publishing: subject(1, isAttached: false), replacing: nil)
    #expect(plan.detached.isEmpty)
    #expect(plan.attached.map(\.partition) == ["cms.rvu_1", "cms.gpci_1"])
    #expect(plan.states == [.init(revision: revision(1), state: .published)])
    #expect(plan.lockedTargets == ["cms.gpci", "cms.rvu"])
  }

  @Test func `A later revision replaces the published one`() throws {
    let plan = try PublicationPlan(
      publishing: subject(2, isAttached: false), replacing: subject(1, isAttached: true))
    #expect(plan.detached.map(\.partition) == ["cms.rvu_1", "cms.gpci_1"])
    #expect(plan.attached.map(\.partition) == ["cms.rvu_2", "cms.gpci_2"])
    #expect(plan.locked.count == 4)
    #expect(
      plan.states == [
        .init(revision: revision(1), state: .superseded), .init(revision: revision(2), state: .published),
      ])
  }

  @Test func `A revision does not replace itself`() throws {
    let plan = try PublicationPlan(
      publishing: subject(1, isAttached: false), replacing: subject(1, isAttached: false))
    #expect(plan.detached.isEmpty)
    #expect(plan.states.count == 1)
  }

  @Test func `A rollback brings the replaced revision back, or hides the release`() throws {
    let back = try PublicationPlan(
      rollingBack: subject(2, isAttached: true), to: subject(1, isAttached: false))
    #expect(back.detached.map(\.partition) == ["cms.rvu_2", "cms.gpci_2"])
    #expect(back.attached.map(\.partition) == ["cms.rvu_1", "cms.gpci_1"])
    #expect(back.states.map(\.state) == [.withdrawn, .published])
    let hidden = try PublicationPlan(rollingBack: subject(1, isAttached: true), to: nil)
    #expect(hidden.attached.isEmpty)
    #expect(hidden.states.map(\.state) == [.withdrawn])
  }

  @Test func `A table that was dropped by hand is named`() {
    let lost = PublicationPlan.Subject(revision(2), [part("cms.rvu", 2, isThere: false)])
    #expect {
      _ = try PublicationPlan(publishing: lost, replacing: nil)
    } throws: { error in
      guard case ReleaseOperationError.tableLost("2025D", 2, "cms.rvu_2") = error else { return false }
      return true
    }
  }

  @Test func `What somebody has detached is not detached again`() throws {
    let half = PublicationPlan.Subject(
      revision(1), [part("cms.rvu", 1, isAttached: true), part("cms.gpci", 1)])
    let plan = try PublicationPlan(rollingBack: half, to: nil)
    #expect(plan.detached.map(\.target) == ["cms.rvu"])
  }

  @Test func `Dropping locks only what readers see, and no target that is gone`() {
    let parts = [
      part("cms.rvu", 1, isAttached: true), part("cms.gpci", 1),
      part("cms.old", 1, isAttached: true, hasTarget: false),
    ]
    let plan = PublicationPlan(dropping: parts)
    #expect(plan.detached.map(\.target) == ["cms.rvu", "cms.old"])
    #expect(plan.lockedTargets == ["cms.rvu"])
    #expect(plan.states.isEmpty)
  }
}
