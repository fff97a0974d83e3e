import Definitions
import Drafting
import Foundation
import TestSupport
import Testing

@Suite("A pipeline drafted from a sample")
struct PipelineDraftTests {
  /// A draft from a text in a file of a name.
  private func draft(_ text: String, named file: String = "a-list-2025-11-20.csv") throws -> PipelineDraft {
    let scratch = try Scratch()
    try scratch.write(file, text)
    return try PipelineDraft(from: scratch.path + "/" + file)
  }

  private func types(_ draft: PipelineDraft) -> [String] {
    draft.columns.map { "\($0.name) \($0.type)\($0.isRequired ? "!" : "")" }
  }

  @Test("has the types that the values of a list have")
  func list() throws {
    let draft = try draft(
      """
      Staff ID,Provider Name,NPI,Credentials,On-Call Phone,Zip,State,Since,Seen On,Beds,Rate,Area Code,Remark
      0012,"SMITH, ANNA",1234567893,M.D.,(203) 555-1000 x12,06001,CT,2020-01-31,1/2/2025,4,12.50,0860,
      0013,"LEE, BO",1073050910,PH.D.,203-555-1001,60021234,ct,2021-02-28,12/31/2024,12,7,0203,on leave
      """)
    #expect(draft.name == "a-list" && draft.records == 2 && draft.isWhole && draft.isDated)
    #expect(
      types(draft) == [
        "staff_id text!", "provider_name person!", "npi npi!", "credentials credential!",
        "on_call_phone phone!",
        "on_call_phone_extension extension", "zip zip!", "zip_plus4 zip4", "state state!", "since date!",
        "seen_on date(MM/DD/YYYY)!", "beds integer!", "rate decimal(10,2)!", "area_code text!", "remark text",
      ])
    #expect(draft.key == ["staff_id"])
    #expect(draft.columns.first?.remark == "numbers with leading zeros, kept as text")
  }

  @Test(
    "finds what is between fields, and the encoding",
    arguments: [
      ("A;B\n1;x\n2;y, z\n", ";", "ascii"), ("A\tB\n1\tx\n2\ty\n", "\t", "ascii"),
      ("A|B\n1|x\n", "|", "ascii"), ("A,B\n1,Ä\n", ",", "utf-8"), ("\u{FEFF}A,B\n1,x\n", ",", "utf-8"),
    ])
  func form(text: String, delimiter: String, encoding: String) throws {
    let draft = try draft(text)
    #expect(draft.delimiter == delimiter.utf8.first && draft.encoding == encoding)
    #expect(draft.columns.map(\.source).suffix(2) == ["A", "B"])
  }

  @Test("has the types that the properties of JSON have, and says what it leaves out")
  func json() throws {
    let draft = try draft(
      """
      {"records": [
        {"id": "a1", "name": {"family": "Ex", "given": ["A", "B"]}, "npi": 1234567893, "on": true, "visits": [{"x": 1}]},
        {"id": "a2", "name": {"family": "Wy", "given": []}, "npi": null, "extra": "late", "odd.name": 1}
      ]}
      """, named: "people.json")
    #expect(
      types(draft) == [
        "id text!", "name_family person!", "name_given text", "npi npi", "on text", "extra text",
      ])
    #expect(draft.key == ["id"] && draft.records == 2)
    #expect(draft.notes.contains { $0.contains("'visits' repeats") }, "\(draft.notes)")
    #expect(draft.notes.contains { $0.contains("'odd.name'") }, "\(draft.notes)")
    #expect(draft.files[1].text.contains("records: 'records'"))
    #expect(draft.files[1].text.contains("json: 'name.given', join: ', '"))
  }

  @Test("numbers its records where no column distinguishes them")
  func withoutKey() throws {
    let draft = try draft("Name,Ward\nA,x\nA,\n")
    #expect(draft.key == ["record"] && draft.columns.first?.name == "record")
  }

  @Test("finds the header below a title, and knows footnotes")
  func title() throws {
    let draft = try draft(
      "Who is on call,,\nprinted on Monday,,\nCode,Ward,Beds\nA1,x,1\nA2,y,2\nas of today,,\n")
    #expect(draft.columns.map(\.name) == ["code", "ward", "beds"] && draft.records == 2)
    #expect(draft.files[1].text.contains("when: single-field"))
  }

  @Test("is a pipeline also where a header has what YAML has not")
  func controls() throws {
    let draft = try draft("A\u{7F}\u{1}'\"\\,\"B\nC\",\u{85}D\u{FEFF}\nx,y,-\u{2028}-\n")
    let scratch = try Scratch()
    for file in draft.files { try scratch.write(file.path, file.text) }
    let pipeline = try Pipeline.load(scratch.path + "/Pipelines/" + draft.name)
    let columns = try #require(pipeline.layouts["record"]?.versions.first?.columns)
    #expect(columns.compactMap { $0.place?.headers.first?.text }.first == "A\u{7F}\u{1}'\"\\")
  }

  @Test("allows no record that has other fields than the header, and says where they are")
  func ragged() throws {
    let draft = try draft("Code,Ward,Beds\nA1,x,1\nA2,y\nA3,z,2,3\nA4,x,4\n")
    #expect(draft.misfits == [3, 4] && draft.records == 2)
    let text = draft.files[0].text
    #expect(text.contains("\nrejects: {allow: 0}\n") && text.contains("2, at line 3, 4."), "\(text)")
    #expect(text.contains("\n# rejects: {allow: 2}\n"), "\(text)")
    #expect(draft.notes.contains { $0.contains("line 3, 4") }, "\(draft.notes)")
  }

  @Test("takes what says that nothing is there for nothing, and has the layout say so")
  func placeholders() throws {
    let draft = try draft(
      """
      Code,Last Name,Ward,Beds,Since
      A1,None,none,4,2025-01-31
      A2,Zane,East,N/A,--
      A3,TBD,West,12,2024-02-29

      """)
    #expect(
      types(draft) == ["code text!", "last_name person", "ward text", "beds integer", "since date"])
    let text = draft.files[1].text
    #expect(text.contains("    # In the sample: --  N/A  TBD\n    placeholders: common\n"), "\(text)")
    #expect(text.contains("csv: 'Ward', type: text, blank_when: ['none']}"), "\(text)")
    // Ms. None is a person.
    #expect(text.contains("csv: 'Last Name', type: person}"), "\(text)")
  }

  @Test(
    "has columns that a header calls by numbers, where the records below have others",
    arguments: [
      ("Clinic,2023,2024\nA,10,12\nB,11,9\n", ["clinic", "n_2023", "n_2024"]),
      ("2023,2024\n10,12\n11,9\n", ["n_2023", "n_2024"]),
      ("Clinic,1,2,3\nA,10,12,9\nB,11,9,9\n", ["clinic", "n_1", "n_2", "n_3"]),
      ("Staff list,,\nClinic,2023,2024\nA,10,12\nB,11,2023\n", ["clinic", "n_2023", "n_2024"]),
    ])
  func numbers(text: String, expected: [String]) throws {
    #expect(try draft(text).columns.map(\.name).filter { $0 != "record" } == expected)
  }

  @Test(
    "is refused where nothing can be drafted, with what to do about it",
    arguments: [
      ("", "a.csv", "is empty"), (" \n\n", "a.csv", "is empty"), ("1,2\n3,4\n", "a.csv", "has no header"),
      ("2025-01-01,A\n2025-01-02,B\n", "a.csv", "has no header"),
      ("A,2023,2024\nB,2024,2025\n", "a.csv", "has no header"), ("A,1,2\nB,3,4\n", "a.csv", "has no header"),
      ("A,B,a\n1,2,3\n", "a.csv", "'A', 'a'"),
      ("A,B\n", "a.csv", "no record below"), ("A,B\n1,\0\n", "a.csv", "NUL bytes"),
      ("A,B\n1,\"x\n", "a.csv", "quoted field that is not closed"), ("x", "a.docx", "neither .csv"),
      ("A,B\n1,2\n", "2025-01-01.csv", "gives no name"), ("{\"a\":1,\"a\":2}", "a.json", "twice"),
      ("{\"a\":1}\n{\"a\":\n", "a.ndjson", "ends before it is whole"), ("[1]", "a.json", "no object"),
      ("PK\u{3}\u{4}not a workbook", "a.csv", "archive"),
    ])
  func hostile(text: String, file: String, expected: String) throws {
    let scratch = try Scratch()
    try Data(text.utf8).write(to: URL(filePath: scratch.path + "/" + file))
    do {
      let draft = try PipelineDraft(from: scratch.path + "/" + file)
      Issue.record("drafted \(types(draft))")
    } catch let error as DraftError {
      #expect("\(error)".contains(expected) && !error.hint.isEmpty, "\(error)")
    } catch {
      #expect("\(error)".contains(expected), "\(error)")
    }
  }

  @Test("is refused for more columns than a table has, and made of as many as it has")
  func width() throws {
    func list(_ count: Int) -> String {
      (1...count).map { "Column \($0)" }.joined(separator: ",") + "\n"
        + (1...count).map { "v\($0)" }.joined(separator: ",") + "\n"
    }
    let draft = try draft(list(1597))
    #expect(draft.columns.count == 1597)
    #expect {
      try self.draft(list(2000))
    } throws: { error in
      "\(error)".contains("2000 columns") && "\(error)".contains("at most 1597")
    }
  }

  @Test("is read as any other definition is, whatever headers say")
  func definitions() throws {
    let scratch = try Scratch()
    try scratch.write(
      "Odd's List.csv",
      "It's: a #1 \"thing\",{x},\"two\nlines\",Release,release date,--,%,&lt;\n1,2,3,4,2025-01-01,a,b,c\n"
        .replacing("a #1 \"thing\"", with: "a #1 'thing'"))
    let draft = try PipelineDraft(from: scratch.path + "/Odd's List.csv")
    for file in draft.files { try scratch.write(file.path, file.text) }
    try scratch.write("rivulet.yaml", "project: odd\ntime_zone: UTC\n")
    let pipeline = try Project.load(scratch.path).pipeline(named: draft.name)
    #expect(draft.name == "odd-s-list" && pipeline.sources.map(\.target) == ["odd_s_list_list.record"])
    #expect(pipeline.layouts["record"]?.versions.first?.columns.count == draft.columns.count)
    #expect(draft.columns.map(\.name).contains("release_2"))
  }
}
