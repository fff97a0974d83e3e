import Fuzzing
import Host
import TestSupport
import Testing

/// Every input that is kept is read again: what random changes begin with, and what a reader once failed at.
@Suite("Inputs that are kept for fuzzing")
struct CorpusTests {
  /// So long one may take, in seconds: a machine may have other things to do.
  private static let limit = 5.0

  @Test("are for readers that there are, and each reader has some")
  func folders() throws {
    #expect(try Set(Files.list(Corpus.folder)) == Set(FuzzedReader.all.map(\.name)))
    for reader in FuzzedReader.all {
      let files = try Corpus.files(of: reader)
      #expect(!files.isEmpty, "\(reader.name)")
      let long = files.filter { (Files.size($0) ?? 0) > reader.longest }
      #expect(long == [], "\(reader.name) reads \(reader.longest) bytes")
    }
  }

  @Test("are read to their ends", arguments: FuzzedReader.all.map(\.name))
  func replay(name: String) async throws {
    let reader = try #require(FuzzedReader.named(name))
    // In a process of its own: a trap would end that of all tests.
    let outcome = await #expect(
      processExitsWith: .success, observing: [\.standardErrorContent]
    ) { [name = name as String] in
      let reader = try #require(FuzzedReader.named(name))
      let folder = try FuzzFolder()
      for file in try Corpus.files(of: reader) {
        Output.err("reading \(file)\n")
        let start = Machine.seconds
        reader.run(try Files.read(file), in: folder)
        if Machine.seconds - start > CorpusTests.limit { Output.err("took too long\n") }
      }
    }
    let said = String(decoding: outcome?.standardErrorContent ?? [], as: UTF8.self)
    let isDone = said.split(separator: "\n").count == (try Corpus.files(of: reader)).count
    #expect(isDone, "\(said.suffix(2000))")
  }
}
