import Definitions
import Testing

@Suite("What rivulet.yaml says of the nights")
struct NightlyRulesTests {
  private func rules(_ text: String) throws -> NightlyRules {
    let fixture = try Fixture(["rivulet.yaml": "project: test\ntime_zone: UTC\n" + text])
    return try Project.load(fixture.folder).nightly
  }

  @Test("is nothing where nothing is written, so that nothing is loaded and nothing removed")
  func nothing() throws {
    let rules = try rules("")
    #expect(rules.watch.isEmpty && rules.freshness.isEmpty && rules.notify.isEmpty)
    #expect(rules.retention == RetentionSpans())
  }

  @Test("is read with its folders from the project or from the root")
  func everything() throws {
    let fixture = try Fixture([
      "rivulet.yaml": """
      project: test
      time_zone: UTC
      watch:
        - {pipeline: fees, folder: incoming}
        - {pipeline: fees, folder: /srv/fees, files: '*.zip', settle: 5m}
      retention: {runs: 400d, revisions: 12h}
      freshness: {fees: 120d}
      notify: [bin/tell, --now]
      """
    ])
    let project = try Project.load(fixture.folder)
    let rules = project.nightly
    #expect(rules.watch.map(\.folder) == [project.folder + "/incoming", "/srv/fees"])
    #expect(rules.watch.map(\.settle) == [.seconds(60), .seconds(300)])
    #expect(rules.watch[0].files == nil && rules.watch[1].files?.matches("FEES25A.ZIP") == true)
    #expect(rules.retention.runs == .seconds(400 * 86_400) && rules.retention.revisions == .seconds(43_200))
    #expect(rules.retention.rejects == nil)
    #expect(rules.freshness.map(\.pipeline) == ["fees"] && rules.freshness.map(\.days) == [120])
    #expect(rules.notify == [project.folder + "/bin/tell", "--now"])
  }

  @Test("may name a program to notify by one word, which is looked for on PATH")
  func oneWord() throws {
    #expect(try rules("notify: logger").notify == ["logger"])
  }
}
