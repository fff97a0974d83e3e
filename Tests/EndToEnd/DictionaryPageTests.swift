import Foundation
import TestSupport
import Testing

/// The dictionary in a browser: as its readers see it, hear it and use it.
@Suite(
  "The data dictionary in a browser",
  .enabled(if: Browser.missing == nil, "\(Browser.missing ?? "")"))
struct DictionaryPageTests {
  /// The dictionary of the whole project.
  private static let written: Result<Desk, any Error> = Result {
    let desk = try Desk()
    try desk.command("docs", "-o", desk.path("docs")).succeeded()
    return desk
  }

  private static let pages = [
    "index", "dataset-cms-rvu", "dataset-fhir-directory", "table-cms.rvu", "view-mart.payment",
  ]

  private let desk: Desk
  private let browser: Browser

  init() throws {
    desk = try Self.written.get()
    browser = try Browser()
  }

  private func path(_ page: String) -> String { desk.path("docs/\(page).html") }

  @Test(
    "says no error, asks nobody for anything, and is as wide as a screen", arguments: [360, 800, 1400],
    [false, true])
  func opens(_ width: Int, _ dark: Bool) throws {
    for page in Self.pages {
      try browser.open(path(page), width: width, dark: dark)
      #expect(browser.errors == [] && browser.requests == [], "\(page)")
      #expect(try browser.evaluate("document.documentElement.scrollWidth") as? Int == width, "\(page)")
      try keep("\(page)-\(width)-\(dark ? "dark" : "light")")
    }
  }

  @Test("finds names by keyboard alone, the nearest first, and leads to where they are")
  func search() throws {
    try browser.open(path("index"))
    let field = "document.querySelector('#search input[type=search]')"
    let found = "[...document.querySelectorAll('#search tbody tr')].map(row => row.cells[0].textContent)"
    #expect(
      try browser.texts("[document.querySelector('#search .box').checkVisibility() ? 'shown' : 'hidden']")
        == [
          "hidden"
        ])
    try browser.evaluate("\(field).focus()")
    try browser.type("work_rvu")
    let names = try browser.texts(found)
    #expect(Set(names.prefix(3)) == ["WORK RVU", "work_rvu"] && names[3].hasSuffix(".work_rvu"), "\(names)")
    #expect(names.contains("cms.rvu.work_rvu"))
    try browser.press("Escape")
    #expect(try browser.texts(found) == [])
    try browser.type("NOT USED FOR MEDICARE payment")
    let fields = try browser.texts(found)
    #expect(fields.contains("NOT USED FOR MEDICARE PAYMENT"), "\(fields)")
    try browser.press("Escape")
    for (word, kind) in [
      ("totals-add-up", "rule"), ("price", "query"), ("cms-rvu", "dataset"), ("pprrvu", "file"),
    ] {
      try browser.type(word)
      let row = try browser.texts(
        "[...document.querySelector('#search tbody tr').cells].map(cell => cell.textContent)")
      #expect(row[0] == word && row[1] == kind, "\(row)")
      try browser.press("Escape")
    }
    try browser.type("rvu")
    #expect(try browser.texts(found).count == 60)
    #expect(
      try browser.texts("[document.querySelector('#search output').textContent]")[0].hasPrefix(
        "the nearest 60 of "))
    try browser.press("Escape")
    try browser.type("cms.rvu.mp_rvu")
    // From the field the keyboard leads over the box and its headings to the first name.
    for _ in 0..<6 { try browser.press("Tab") }
    #expect(try browser.texts("[document.activeElement.textContent]") == ["cms.rvu.mp_rvu"])
    let link = try browser.texts("[document.activeElement.getAttribute('href')]")[0]
    #expect(link == "table-cms.rvu.html#column-mp_rvu")
    #expect(try desk.text(of: "docs/table-cms.rvu.html").contains("id=\"column-mp_rvu\""))
    #expect(browser.errors == [])
  }

  @Test("orders columns and filters them by keyboard alone")
  func keyboard() throws {
    try browser.open(path("table-cms.rvu"))
    try browser.press("Tab")
    #expect(try browser.evaluate("document.activeElement.className") as? String == "skip")
    let shown = """
      [...document.querySelectorAll('#columns tbody tr')].filter(row => row.checkVisibility())
        .map(row => row.cells[0].textContent)
      """
    let all = try browser.texts(shown)
    try browser.evaluate("document.querySelector('#columns th button').focus()")
    try browser.press("Enter")
    #expect(try browser.texts(shown) == all.sorted())
    try browser.press("Enter")
    #expect(try browser.texts(shown) == all.sorted().reversed())
    try browser.evaluate("document.querySelector('#columns input[type=search]').focus()")
    try browser.type("malpractice OPPS")
    #expect(try browser.texts(shown) == ["mp_opps"])
    #expect(browser.errors == [])
  }

  @Test(
    "draws no two boxes on each other and no text out of its box, and each box can be reached",
    arguments: [360, 1400])
  func graph(_ width: Int) throws {
    for page in ["index", "dataset-cms-rvu", "dataset-nppes"] {
      try browser.open(path(page), width: width)
      let outside = """
        [...document.querySelectorAll('.graph rect')].filter(rect => {
          const [box, text] = [rect.getBoundingClientRect(), rect.nextSibling.getBoundingClientRect()];
          return text.left < box.left + 4 || text.right > box.right - 4 || text.top < box.top || text.bottom > box.bottom;
        }).map(rect => rect.nextSibling.textContent)
        """
      #expect(try browser.texts(outside) == [], "\(page)")
      let overlapping = """
        (() => {
          const boxes = [...document.querySelectorAll('.graph rect')].map(rect => rect.getBoundingClientRect());
          return boxes.flatMap((a, i) => boxes.slice(i + 1).filter(b => a.left < b.right && b.left < a.right
            && a.top < b.bottom && b.top < a.bottom).map(b => `${a.left} ${a.top}`));
        })()
        """
      #expect(try browser.texts(overlapping) == [], "\(page)")
      try browser.evaluate("document.querySelector('.graph a').focus()")
      let name = try browser.texts("[document.activeElement.textContent]")[0]
      #expect(!name.isEmpty && name.contains(":"), "\(page): \(name)")
      try browser.press("Tab")
      #expect(
        try browser.texts("[document.activeElement.closest('.graph') ? 'in' : 'out']") == ["in"], "\(page)")
    }
  }

  @Test("gives readers of the screen landmarks, headings in order, and a name for all that can be used")
  func accessible() throws {
    for page in Self.pages {
      try browser.open(path(page))
      try browser.expectAccessible(page)
    }
  }

  @Test(
    "breaks no rule of axe-core, in light and in dark",
    .enabled(if: Axe.missing == nil, "\(Axe.missing ?? "")"), arguments: [false, true])
  func axe(_ dark: Bool) throws {
    for page in Self.pages {
      try browser.open(path(page), dark: dark)
      try browser.evaluate("document.querySelectorAll('details').forEach(part => { part.open = true })")
      let found = try Axe.violations(in: browser)
      #expect(found == [], "\(page)")
    }
  }

  @Test("has contrast enough in light and in dark", arguments: [false, true])
  func contrast(_ dark: Bool) throws {
    for page in Self.pages {
      try browser.open(path(page), dark: dark)
      try browser.evaluate("document.querySelectorAll('details').forEach(part => { part.open = true })")
      #expect(try browser.texts(PageChecks.poorContrast) == [], "\(page)")
    }
  }

  /// Keeps a picture where `RIVULET_PICTURES` names a folder.
  private func keep(_ name: String) throws {
    guard let folder = ProcessInfo.processInfo.environment["RIVULET_PICTURES"] else { return }
    try browser.picture().write(to: URL(filePath: "\(folder)/docs-\(name).png"))
  }
}
