import Pages
import Testing

@Suite("Markup")
struct MarkupTests {
  @Test("escapes whatever is put in, in text and in attributes")
  func escapes() {
    let hostile = "</p><script>alert('1')</script>\"&"
    let escaped = "&lt;/p&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&quot;&amp;"
    #expect(Markup("p", ["title": hostile], text: hostile).html == "<p title=\"\(escaped)\">\(escaped)</p>")
    #expect(Markup("p", [:], ["a \(hostile)"]).html == "<p>a \(escaped)</p>")
  }

  @Test("shows by their numbers the characters that turn the direction of text or are no text")
  func controls() {
    #expect(Markup(text: "a\u{202e}b\u{0}c\u{1b}[1m").html == "a\\u{202e}b\\u{0}c\\u{1b}[1m")
    #expect(Markup(text: "two\nlines").html == "two\nlines")
  }

  @Test(
    "leaves out links that run something",
    arguments: [
      "javascript:alert(1)", "JaVaScRiPt:alert(1)", "data:text/html,x", " javascript:x", "//host/x", "x:y",
    ])
  func links(_ link: String) {
    #expect(Markup("a", ["href": link], text: "x").html == "<a>x</a>")
  }

  @Test("keeps links to places on the page, to pages beside it and to the web")
  func harmlessLinks() {
    for link in ["#runs", "tables/cms.rvu.html#hcpcs", "../index.html", "https://www.cms.gov/a?b=c"] {
      #expect(Markup("a", ["href": link], text: "x").html == "<a href=\"\(link)\">x</a>")
    }
  }

  @Test("writes elements without content without an end, and leaves out attributes without a value")
  func void() {
    let markup: Markup = [Markup("br", [:]), Markup("td", ["class": nil], text: "1"), Markup([])]
    #expect(markup.html == "<br><td>1</td>")
  }
}

@Suite("Numbers for people")
struct DecimalTests {
  @Test("have commas, decimals and a sign only where they are not zero")
  func decimals() {
    #expect(
      (-1234.5).decimal(2) == "-1,234.50" && 0.005.decimal(2) == "0.01" && (-0.001).decimal(2) == "0.00")
    #expect(1_000_000.0.decimal(0) == "1,000,000" && 0.999.decimal(2) == "1.00" && 12.05.decimal(1) == "12.1")
    #expect(Double.nan.decimal(1) == "–" && Double.infinity.decimal(0) == "–")
  }

  @Test("have the unit of which there are enough")
  func units() {
    #expect(0.0123.duration == "0.012 s" && 1.44.duration == "1.4 s" && 100.0.duration == "100 s")
    #expect(192.0.duration == "3.2 min" && 9_000.0.duration == "2.5 h" && 200_000.0.duration == "2.3 d")
    #expect(999.0.bytes == "999 B" && 12_400_000.0.bytes == "12.4 MB" && 3.2e12.bytes == "3.2 TB")
  }
}
