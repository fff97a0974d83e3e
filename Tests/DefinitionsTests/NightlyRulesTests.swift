import Definitions
import TestSupport
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

  @Test(
    "names so many bytes of changes as may wait for a view",
    arguments: [
      ("500 MB", 500_000_000), ("1kB", 1_000), ("2 TB", 2_000_000_000_000), ("500", nil), ("0 MB", nil),
      ("1.5 GB", nil),
      ("5 mb", nil), ("-1 MB", nil),
    ])
  func queueLimit(_ text: String, bytes: Int?) throws {
    let fixture = try Fixture(["rivulet.yaml": "project: test\ntime_zone: UTC\nqueue_limit: \(text)\n"])
    let limit = Result { () throws(DefinitionErrors) in try Project.load(fixture.folder).queueLimit }
    switch limit {
    case .success(let found): #expect(found == bytes)
    case .failure(let error): #expect(bytes == nil && "\(error)".contains("such as 500 MB"), "\(error)")
    }
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
      mail: {to: [a@example.org], from: b@example.org, via: bin/mail}
      post: https://hooks.example/x
      heartbeat: https://ping.example/y
      fetch: [{pipeline: fees, folder: archives}]
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
    #expect(rules.mail?.to == ["a@example.org"] && rules.mail?.from == "b@example.org")
    #expect(rules.mail?.via == project.folder + "/bin/mail")
    #expect(rules.post == "https://hooks.example/x" && rules.heartbeat == "https://ping.example/y")
    #expect(rules.fetch == [FetchedDataset(pipeline: "fees", folder: project.folder + "/archives")])
  }

  @Test("names the releases of CMS's list of RVU files by its links")
  func listOfRVUFiles() throws {
    let project = try Project.load(SharedData.project)
    let list = try #require(try project.pipeline(named: "cms-rvu").fetch?.list)
    let page = "https://www.cms.gov/medicare/payment/fee-schedules/physician/pfs-relative-value-files"
    for (link, release) in [
      ("/rvu25a", "2025a"), ("/rvu25ar", "2025ar"), ("/rvu25d-0", "2025d"), ("-items/RVU18B.html", "2018B"),
      ("/rvu26a?page=1", "2026a"), ("", nil), ("/rvu26a/notes", nil),
    ] as [(String, String?)] { #expect(list.release(address: page + link) == release, "\(link)") }
  }

  @Test("sends mail by the program of Debian's mail servers where none is named")
  func sendmail() throws {
    #expect(try rules("mail: {to: a@example.org, from: b@example.org}").mail?.via == "/usr/sbin/sendmail")
  }

  @Test("may name a program to notify by one word, which is looked for on PATH")
  func oneWord() throws {
    #expect(try rules("notify: logger").notify == ["logger"])
  }
}
