import Foundation
import PostgreSQL
import TestSupport
import Testing

/// The report in a browser: as its readers see it, hear it and use it.
@Suite(
  "The report in a browser", .serialized, .enabled(if: Browser.missing == nil, "\(Browser.missing ?? "")"))
struct ReportPageTests {
  /// A report of two releases with a run that was refused.
  private static let report: Result<Desk, any Error> = Result {
    let desk = try Desk()
    try desk.load("cms-rvu", Samples.make(rows: 60, release: "2025A")).succeeded()
    try desk.load("cms-rvu", Samples.make(rows: 80, release: "2025D"), options: Loaded.unlikeTheLast)
      .succeeded()
    try desk.load("cms-rvu", Samples.make(quirks: ["stray-quote"], rows: 60, release: "2025B")).failed(3)
    try desk.command("report", "-o", desk.path("page.html")).succeeded()
    return desk
  }

  private let desk: Desk
  private let browser: Browser

  init() throws {
    desk = try Self.report.get()
    browser = try Browser()
  }

  private static let runs = """
    [...document.querySelectorAll('table')].find(t => t.caption.textContent === 'The newest runs')
    """

  @Test(
    "says no error, asks nobody for anything, and is as wide as a screen", arguments: [360, 800, 1400],
    [false, true])
  func opens(_ width: Int, _ dark: Bool) throws {
    try browser.open(desk.path("page.html"), width: width, dark: dark)
    #expect(browser.errors == [] && browser.requests == [])
    #expect(try browser.evaluate("document.documentElement.scrollWidth") as? Int == width)
    #expect(try browser.evaluate("document.querySelectorAll('th button').length") as? Int ?? 0 > 20)
    let background = try browser.evaluate("getComputedStyle(document.body).backgroundColor") as? String
    #expect(background == (dark ? "rgb(20, 25, 31)" : "rgb(251, 250, 248)"))
    try keep("\(width)-\(dark ? "dark" : "light")")
  }

  @Test(
    "is printed with no table or chart cut off or over another",
    // What margins of 2 cm and of 1 cm leave of a sheet of Letter, at 96 pixels an inch.
    arguments: [640, 740])
  func printed(_ width: Int) throws {
    try browser.open(desk.path("page.html"))
    try browser.print(width: width)
    #expect(try browser.evaluate("matchMedia('print').matches") as? Bool == true)
    #expect(try browser.evaluate("document.documentElement.scrollWidth") as? Int == width)
    let boxes = """
      [...document.querySelectorAll('table, figure > svg')].filter(e => e.getClientRects().length)
        .map(e => [e, e.getBoundingClientRect()])
      """
    #expect(try browser.evaluate("\(boxes).length") as? Int ?? 0 > 12)
    let cut = try browser.texts(
      "\(boxes).filter(([e, r]) => r.right > innerWidth + 1 || r.left < -1).map(([e]) => e.textContent.slice(0, 60))"
    )
    #expect(cut == [])
    let hidden = try browser.texts(
      """
      (all => all.flatMap(([e, r], i) => all.slice(i + 1).filter(([f, s]) => !e.contains(f) && !f.contains(e)
        && r.left < s.right - 1 && s.left < r.right - 1 && r.top < s.bottom - 1 && s.top < r.bottom - 1)
        .map(([f]) => e.textContent.slice(0, 40) + ' | ' + f.textContent.slice(0, 40))))(\(boxes))
      """)
    #expect(hidden == [])
    try keep("print-\(width)")
  }

  @Test("orders tables and filters them by keyboard alone")
  func keyboard() throws {
    try browser.open(desk.path("page.html"))
    // The first key that is pressed leads to the way past the sections.
    try browser.press("Tab")
    #expect(try browser.evaluate("document.activeElement.className") as? String == "skip")
    try browser.press("Enter")
    try browser.evaluate("(\(Self.runs)).querySelectorAll('th button')[6].focus()")
    let column = "[...(\(Self.runs)).tBodies[0].rows].map(row => row.cells[6].textContent)"
    let sort = "[...(\(Self.runs)).tHead.rows[0].cells].map(cell => cell.getAttribute('aria-sort') ?? '-')"
    let before = try browser.texts(column)
    let numbers = before.compactMap { Int($0.filter(\.isNumber)) }.sorted()
    try #require(numbers.count == 3)
    try browser.press("Enter")
    #expect(try browser.texts(column).compactMap { Int($0.filter(\.isNumber)) } == numbers.reversed())
    #expect(
      try browser.texts(sort).enumerated().map { ($0, $1) }.filter { $1 != "-" }.map { "\($0) \($1)" } == [
        "6 descending"
      ])
    try browser.press("Enter")
    #expect(try browser.texts(column).compactMap { Int($0.filter(\.isNumber)) } == numbers)
    #expect(try browser.texts(sort)[6] == "ascending")

    let box = "document.querySelector('#migrations input[type=search]')"
    let shown =
      """
      [...document.querySelectorAll('#migrations tbody tr')].filter(row => row.checkVisibility())
        .map(row => row.cells[1].textContent)
      """
    let all = try browser.texts(shown)
    try browser.evaluate("\(box).focus()")
    try browser.type("Provider DIRECTORY")
    #expect(try browser.texts(shown) == all.filter { $0.contains("provider") && $0.contains("directory") })
    #expect(try browser.texts(shown).count == 1)
    #expect(
      try browser.evaluate("document.querySelector('#migrations output').textContent") as? String
        == "1 of \(all.count)")
    try browser.press("Escape")
    #expect(try browser.texts(shown) == all)
    #expect(browser.errors == [])
  }

  @Test("gives readers of the screen landmarks, headings in order, and a name for all that can be used")
  func accessible() throws {
    try browser.open(desk.path("page.html"))
    let nodes = try browser.expectAccessible()
    #expect(nodes.count { ["image", "img"].contains($0.role) } >= 5)
  }

  @Test(
    "breaks no rule of axe-core, in light and in dark",
    .enabled(if: Axe.missing == nil, "\(Axe.missing ?? "")"), arguments: [false, true])
  func axe(_ dark: Bool) throws {
    try browser.open(desk.path("page.html"), dark: dark)
    try browser.evaluate("document.querySelectorAll('details').forEach(part => { part.open = true })")
    let found = try Axe.violations(in: browser)
    #expect(found == [])
  }

  @Test("has contrast enough in light and in dark", arguments: [false, true])
  func contrast(_ dark: Bool) throws {
    try browser.open(desk.path("page.html"), dark: dark)
    try browser.evaluate("document.querySelectorAll('details').forEach(part => { part.open = true })")
    let found = try browser.texts(PageChecks.poorContrast)
    #expect(found == [])
  }

  @Test("of 24 releases and two years of nights is small, opens in a moment, and says what it leaves out")
  func large() throws {
    let desk = try Desk()
    let names = (2020...2025).flatMap { year in "ABCD".map { "\(year)\($0)" } }
    for (index, name) in names.enumerated() {
      let bundle = try Samples.make(rows: 60 + 5 * index, release: name)
      try desk.load("cms-rvu", bundle, options: Loaded.unlikeTheLast + ["--no-refresh"]).succeeded()
    }
    try desk.command("refresh").succeeded()
    try desk.database.connect().execute(
      """
      INSERT INTO rivulet.run (pipeline, state, definition_hash, program_version, started_at, finished_at, error)
      SELECT p, CASE WHEN random() < 0.1 THEN 'refused' ELSE 'merged' END, 'x', '0.1.0', d, d + interval '40 s',
        repeat('some of the records were refused, ', 4)
      FROM generate_series(now() - interval '2 years', now(), '1 day') d,
        unnest('{cms-zip5,nppes,oncall,doula}'::text[]) p ORDER BY d;
      INSERT INTO rivulet.run_stage SELECT r.run, s, 10, 1000, n
      FROM rivulet.run r, unnest('{discover,stage,check,publish}'::text[]) WITH ORDINALITY x(s, n)
      WHERE definition_hash = 'x';
      INSERT INTO rivulet.source_file (run, source, file, file_sha256, records_read, records_loaded,
        records_rejected, records_skipped)
      SELECT run, 'a', 'a.csv', 'x', 4000, 3990, 10, 0 FROM rivulet.run WHERE definition_hash = 'x';
      INSERT INTO rivulet.reject_reason
      SELECT source_file_id, 'not-a-date', 'c' || run % 40, 10, '{1}', '{}' FROM rivulet.source_file
      WHERE file = 'a.csv';
      """)
    try desk.command("report", "-o", desk.path("page.html")).succeeded()
    let runs = try desk.value("SELECT count(*) FROM rivulet.run") ?? ""
    let page = try desk.text(of: "page.html")
    #expect(page.utf8.count < 2_000_000, "\(page.utf8.count)")
    let count = try #require(Int(runs))
    #expect(count > 2_900 && page.filter { $0 != "," }.contains("The newest 60 of \(count) runs are listed"))
    // What the machine is busy with otherwise is not the page's: one opening in a moment is enough.
    let deadline = Date.now + 120
    var seconds = try browser.open(desk.path("page.html"), width: 360)
    while seconds >= 1, Date.now < deadline {
      seconds = try browser.open(desk.path("page.html"), width: 360)
    }
    #expect(seconds < 1)
    #expect(try browser.evaluate("document.documentElement.scrollWidth") as? Int == 360)
    #expect(browser.errors == [])
    #expect(
      try browser.texts(
        "[...document.querySelectorAll('#cms-rvu-work-over-releases tbody th')].map(cell => cell.textContent)"
      )
        == names)
    try keep("large")
  }

  /// Keeps a picture where `RIVULET_PICTURES` names a folder.
  private func keep(_ name: String) throws {
    guard let folder = ProcessInfo.processInfo.environment["RIVULET_PICTURES"] else { return }
    try browser.picture().write(to: URL(filePath: "\(folder)/report-\(name).png"))
  }
}
