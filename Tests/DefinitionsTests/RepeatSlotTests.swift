import Definitions
import Testing

@Suite("Slots of a child table that differ by words")
struct RepeatSlotTests {
  private func layout(_ repeats: String, _ columns: String) -> String {
    Fixture.layout
      + "\n    children:\n      - target: cms.place\n        repeat: \(repeats)\n        columns:\n"
      + columns + "\n"
  }

  private static let columns = """
              - {name: use, constant: '{use}'}
              - {name: city, csv: 'Business {place} City', aliases: ['{place} Town {slot}'], type: text}
              - {name: zip4, csv: 'Business {place} City', shared: true, type: zip4}
    """

  @Test("have them in their headers, aliases and constants")
  func words() throws {
    let text = layout("[{use: mailing, place: Mailing}, {use: other, place: ''}]", Self.columns)
    let pipeline = try Fixture(["Pipelines/fees/layouts/rates.yaml": text]).load()
    let child = try #require(pipeline.layouts["rates"]?.versions.first?.children.first)
    #expect(child.columnNames == ["use", "city", "zip4"])
    #expect(child.slots.map { $0[0].origin } == [.constant("mailing"), .constant("other")])
    let headers = child.slots.map { $0[1].place?.headers.map(\.text) ?? [] }
    #expect(headers == [["BUSINESS MAILING CITY", "MAILING TOWN 1"], ["BUSINESS CITY", "TOWN 2"]])
    #expect(child.slots.allSatisfy { $0[2].sharesField && $0[2].place?.headers.count == 1 })
  }

  @Test(
    "are reported where they are none",
    arguments: [
      ("0", "'repeat' must be from 1 to 1000"), ("[]", "'repeat' is empty"),
      ("[mailing]", "a slot must be a mapping of words, found a text"),
      ("[{use: a, place: b}, {use: c}]", "every slot must have the words of the first"),
    ])
  func mistakes(repeats: String, message: String) throws {
    let text = layout(repeats, Self.columns)
    let errors = try Fixture(["Pipelines/fees/layouts/rates.yaml": text]).errors()
    #expect(errors.contains { $0.hasSuffix(message) }, "\(errors)")
  }

  @Test("need a column with a field: constants alone would make a row of every record")
  func constants() throws {
    let text = layout("[{use: a}]", "          - {name: use, constant: '{use}'}")
    let errors = try Fixture(["Pipelines/fees/layouts/rates.yaml": text]).errors()
    #expect(errors.contains { $0.hasSuffix("a child table needs a column with a field") }, "\(errors)")
  }
}
