import Foundation
import TestSupport

extension HostileFileTests {
  static let archives = [
    Case("a zip of zeros", "a.zip", saying: "unpacks to more than", "unpack it") {
      try $0.sparse("ITEM.csv", megabytes: 100)
      try $0.zip("a.zip", "ITEM.csv")
    },
    Case("a gzip in a zip", "a.zip", saying: "entry ITEM.csv.gz: unpacks to more than") {
      try $0.gzip("ITEM.csv.gz", Array("a,one\n".utf8), times: 1)
      try $0.gzip("ITEM.csv.gz", [UInt8](repeating: 0x20, count: 16 << 20), times: 6)
      try $0.zip("a.zip", "ITEM.csv.gz")
    },
    Case("a zip of zips of zeros", "a.zip", saying: "entry one.zip: unpacks to more than") {
      try $0.sparse("ITEM.csv", megabytes: 100)
      for name in ["one.zip", "two.zip"] { try $0.zip(name, "ITEM.csv") }
      try $0.zip("a.zip", "one.zip", "two.zip")
    },
    Case("an entry of more bytes than its zip says", "a.zip", saying: "entry ITEM.csv", "damaged") {
      try $0.write("ITEM.csv", String(repeating: "a,one\n", count: 100_000))
      try $0.zip("a.zip", "ITEM.csv")
      try $0.replace("a.zip", HostileFiles.bytes(600_000), by: HostileFiles.bytes(60))
    },
    Case("zips in zips, a hundred deep", "a.zip", saying: "is not a bundle", "looked for ITEM*") {
      try $0.write("ITEM.csv", "CODE,WORDS\na,one\n")
      var inner = "ITEM.csv"
      for level in 0..<100 {
        try $0.zip("n\(level).zip", inner)
        inner = "n\(level).zip"
      }
      try $0.zip("a.zip", inner)
    },
    Case(
      "an entry twice", "a.zip", saying: "several entries could be items", "the first line that differs is 2"
    ) { try $0.forge("a.zip", [("ITEM.csv", "CODE,WORDS\na,one\n"), ("ITEM.csv", "CODE,WORDS\nb,two\n")]) },
    Case("links and devices", "a.tar", saying: "the archive holds no file") {
      try Shell.run("ln", "-s", "/etc/passwd", "ITEM.csv", in: $0.path)
      try Shell.run("mkfifo", "ITEM2.csv", in: $0.path)
      try Shell.run("tar", "cf", "a.tar", "ITEM.csv", "ITEM2.csv", "--", "/dev/null", in: $0.path)
    },
    Case(
      "names that steer a terminal, or begin a line", "a.zip",
      saying: "\\u{1b}]0;x\\u{7}.csv", "\\u{a}done.csv", "x\\u{202e}/ITEM.csv"
    ) {
      try $0.forge(
        "a.zip",
        ["ITEM\u{1b}]0;x\u{7}.csv", "ITEM\ndone.csv", "x\u{202e}/ITEM.csv"].map {
          ($0, "CODE,WORDS\na,one\n")
        })
    },
  ]

  static let workbooks = [
    Case("shared strings of many bytes", "ITEM.xlsx", saying: "more than 32 MiB of texts", ".csv") {
      try $0.workbook("ITEM.xlsx", strings: ("<si><t>\(String(repeating: "x", count: 90))</t></si>", 500_000))
    },
    Case("a workbook with a DOCTYPE", "ITEM.xlsx", saying: "it has a DOCTYPE") {
      try $0.workbook(
        "ITEM.xlsx", start: "<!DOCTYPE x [<!ENTITY e SYSTEM 'file:///etc/passwd'>]>", sheet: ("<row/>", 1))
    },
    Case("a workbook of a million sheets", "ITEM.xlsx", saying: "more than 65536 sheets") {
      try $0.workbook("ITEM.xlsx", sheets: 500_000)
    },
  ]

  static let files = [
    Case("lines of JSON of any depth", "THING.ndjson", saying: "too-deep") {
      try $0.write(
        "THING.ndjson", "{\"code\":\"a\"}\n{\"x\":" + String(repeating: "[", count: 100_000) + "\n")
    },
    Case("XML with entities", "THING.xml", saying: "it has a DOCTYPE") {
      try $0.write("THING.xml", "<!DOCTYPE a [<!ENTITY b 'c'>]><a><code value='&b;'/></a>")
    },
    Case("a pipe", "ITEM.csv", 6, saying: "neither a file nor a folder") {
      try Shell.run("mkfifo", "ITEM.csv", in: $0.path)
    },
    Case("a folder of a pipe", ".", saying: "found nothing") {
      try Shell.run("mkfifo", "ITEM.csv", in: $0.path)
    },
    Case("a device", "/dev/zero", 6, saying: "neither a file nor a folder") { _ in },
    Case("a link to itself", "loop", 6, saying: "symbolic links") {
      try Shell.run("ln", "-s", "loop", "loop", in: $0.path)
    },
    Case("a circle of links", "a", saying: "found nothing") {
      try Shell.run("mkdir", "-p", "a/b", in: $0.path)
      try Shell.run("ln", "-s", "..", "a/b/c", in: $0.path)
      try Shell.run("ln", "-s", "ITEM.csv", "a/ITEM.csv", in: $0.path)
    },
  ]

  static let huge = [
    Case("a gzip of zeros", "ITEM.csv.gz", saying: "unpacks to more than") {
      try $0.gzip("ITEM.csv.gz", [UInt8](repeating: 0, count: 16 << 20), times: 640)
    },
    Case("a zst of zeros", "ITEM.csv.zst", saying: "unpacks to more than") {
      try Shell.run("sh", "-c", "head -c 10G /dev/zero | zstd -q -1 -o ITEM.csv.zst", in: $0.path)
    },
    Case("a zst with a large dictionary", "ITEM.csv.zst", saying: "needs a dictionary of 128 MiB") {
      // As much as may come out of anything, in rows.
      let row = "c%.0f," + String(repeating: "w", count: 700)
      try Shell.run(
        "sh", "-c",
        "{ echo CODE,WORDS; seq -f \(row) 88000; } | zstd -q -1 --long=27 -o ITEM.csv.zst", in: $0.path)
    },
    Case("a zip of many files with short names", "a.zip", saying: "more than 100000 files") {
      try $0.forge("a.zip", (0..<320_000).map { (String($0, radix: 36), "") })
    },
    Case("a zip of very many files", "a.zip", saying: "a directory of more than 16 MiB") {
      let rest = String(repeating: "x", count: 50)
      try $0.forge("a.zip", (0..<180_000).map { ("\($0)\(rest)", "") })
    },
    Case("a tar of ten million files", "a.tar.gz", saying: "more than 100000 files") {
      var header = [UInt8](repeating: 0, count: 512)
      let text: [(Int, String)] = [
        (0, "x.txt"), (100, "0000644"), (124, "00000000000"), (148, "        "), (156, "0"), (257, "ustar"),
      ]
      for (place, word) in text { header.replaceSubrange(place..<(place + word.utf8.count), with: word.utf8) }
      let sum = header.reduce(0) { $0 + Int($1) }
      header.replaceSubrange(148..<155, with: ("0" + String(sum, radix: 8) + "\0\0\0\0\0").utf8.prefix(7))
      try $0.gzip("a.tar.gz", Array(repeatElement(header, count: 10_000).joined()), times: 1_000)
    },
    Case("a sheet of ten million empty rows", "ITEM.xlsx", saying: "more than 1048576 rows") {
      try $0.workbook("ITEM.xlsx", sheet: ("<row/>", 10_000_000))
    },
    Case("a sheet of zeros without end", "ITEM.xlsx", saying: "unpacks to more than") {
      try $0.workbook(
        "ITEM.xlsx", sheet: ("<row>\(String(repeating: "<c><v>0</v></c>", count: 20))</row>", 400_000))
    },
    Case("shared strings that are empty", "ITEM.xlsx", saying: "more than 32 MiB of texts", ".csv") {
      try $0.workbook("ITEM.xlsx", strings: ("<si/>", 12_000_000))
    },
    Case("a field of a gigabyte", "ITEM.csv", saying: "record-too-long", "ITEM.csv:2") {
      try $0.sparse("ITEM.csv", start: "CODE,WORDS\na,\"", megabytes: 1_024, end: "\"\nb,two\n")
    },
    Case("a folder of more than a hundred thousand files", ".", saying: "holds more than 100000 files") {
      try Shell.run("sh", "-c", "seq 100001 | xargs touch", in: $0.path)
    },
  ]
}
