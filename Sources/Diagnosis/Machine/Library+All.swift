import CCrypto
import CLibArchive
import CLibCurl
import CLibPQ
import CLibXML2
import CLibYAML
import CZlib

extension Library {
  /// All of them, as they are loaded.
  static var all: [Library] {
    [
      Library(
        "libpq", package: "libpq5", running: dotted(Int(PQlibVersion()), [10_000]), built: nil),
      Library(
        "libarchive", package: "libarchive13",
        running: dotted(Int(archive_version_number()), [1_000_000, 1_000]),
        built: dotted(Int(ARCHIVE_VERSION_NUMBER), [1_000_000, 1_000])),
      Library(
        "libcurl", package: "libcurl4", running: text(rivulet_curl_version()),
        built: LIBCURL_VERSION),
      Library(
        "libxml2", package: "libxml2", running: dotted(Int(text(rivulet_xml_version())) ?? 0, [10_000, 100]),
        built: dotted(Int(LIBXML_VERSION), [10_000, 100])),
      Library("libyaml", package: "libyaml-0-2", running: text(yaml_get_version_string()), built: nil),
      Library("zlib", package: "zlib1g", running: text(zlibVersion()), built: ZLIB_VERSION),
      Library(
        "OpenSSL", package: "libssl3",
        running: openSSL(UInt(OpenSSL_version_num())), built: openSSL(UInt(rivulet_openssl_built()))),
    ]
  }

  private static func text(_ pointer: UnsafePointer<CChar>?) -> String {
    pointer.map { String(cString: $0) } ?? "?"
  }

  /// A version that is one number: 3006002 by 1000000 and 1000 is 3.6.2.
  private static func dotted(_ number: Int, _ units: [Int]) -> String {
    var rest = number
    let parts = units.map { unit in
      defer { rest %= unit }
      return rest / unit
    }
    return (parts + [rest]).map(String.init).joined(separator: ".")
  }

  /// OpenSSL's number: major, minor and patch in 4, 8 and 8 bits, 28, 20 and 4 bits up.
  private static func openSSL(_ number: UInt) -> String {
    "\(number >> 28 & 0xf).\(number >> 20 & 0xff).\(number >> 4 & 0xffff)"
  }
}
