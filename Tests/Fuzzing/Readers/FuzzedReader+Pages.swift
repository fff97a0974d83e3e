import Fetching

/// What comes from publishers' servers.
extension FuzzedReader {
  static let pages = [
    FuzzedReader("html", words: htmlWords) { input, _ in
      let isTagged = input.choice(of: [false, true])
      guard let page = WebAddress("https://www.example.org/a/b.html?c=d") else { return }
      let step = LinkTrail.Step(pattern: "any") { link in
        link.text.isEmpty ? nil : LinkTrail.Match(name: LinkTrail.fileName(link.address.path))
      }
      let trail = LinkTrail(page: page, steps: [step], parameter: isTagged ? "file" : nil)
      let links = trail.links(of: input.rest, at: page)
      _ = try trail.choose(step, of: links, on: page)
    },
    FuzzedReader("response", longest: 1024, words: responseWords) { input, folder in
      let name = input.choice(of: ["a.zip", "a.html", "a.pdf", "a.tar", "a.csv"])
      var head = ResponseHead()
      for file in input.files.prefix(2) {
        for line in String(decoding: file.bytes, as: UTF8.self).split(separator: "\n") {
          head.add(String(line))
        }
      }
      _ = (head.version.strongMark, head.firstByte, head.version.isSame(as: head.version))
      let path = try folder.put(name, input.rest)
      _ = (try ContentCheck(path, named: name).fault, DownloadNote(at: path))
    },
  ]

  private static let htmlWords = [
    "<a href=\"", "</a>", "<base href=\"", "<!--", "-->", "<script>", "</script>", "<style", "&amp;",
    "&#x2F;", "&#99999999;", "?file=", "//", "../", "javascript:", "01-10-2025", "20250110", ".zip", "%2e",
    "'", "=",
  ]

  private static let responseWords = [
    "HTTP/1.1 200 OK\n", "Content-Range: bytes 0-9/10\n", "Content-Length: ", "ETag: W/\"a\"\n",
    "Last-Modified: ", "9223372036854775808", "-1", "*", "PK\u{3}\u{4}", "PK\u{5}\u{6}", "<!DOCTYPE html",
    "%PDF-", "\u{1}a\n", "address https://a/b\n", "bytes 12\n", "sha256 ",
  ]
}
