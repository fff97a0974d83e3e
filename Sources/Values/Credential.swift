/// Degrees and licences behind a name, each in one spelling, parted by a comma and a blank.
///
/// ```
/// M.D.  M. D.  md      MD
/// M.D.,PH.D            MD, PhD
/// MD PC                MD, PC
/// F.A.C.S.             FACS
/// P.A.-C               PA-C
/// OTR/L                OTR/L
/// PHYSICIAN ASSISTANT  PHYSICIAN ASSISTANT: words are kept as they are written
/// M.D.1208             M.D.1208
/// ```
enum Credential {
  /// The credentials, in the order in which they are.
  static func list(
    _ field: Span<UInt8>, _ range: Range<Int>, _ encoding: TextEncoding, _ scratch: inout [UInt8]
  ) -> Normalised {
    TextNormalisation.onLine(field, range, encoding, &scratch) { text, scratch in
      scratch.removeAll(keepingCapacity: true)
      // Comma, semicolon, slash.
      for part in text.split(whereSeparator: { $0 == 0x2C || $0 == 0x3B || $0 == 0x2F }) {
        let title = trimmed(text, part.indices)
        if !scratch.isEmpty, part.startIndex > 0, text[part.startIndex - 1] == ASCII.slash,
          isLicence(text, title)
        {
          scratch += [ASCII.slash, UInt8(ascii: "L")]
        } else {
          append(text, title, to: &scratch)
        }
      }
      return scratch.isEmpty ? .blank : .scratch
    }
  }

  /// Whether a place holds one credential that is known, or several with hyphens or slashes between:
  /// `SLP-CCC`.
  static func isKnown(_ text: [UInt8], _ part: Range<Int>) -> Bool {
    let places = text[part].split(separator: ASCII.slash, omittingEmptySubsequences: false)
    return places.enumerated().allSatisfy { number, place in
      isOne(text, place.indices) || number > 0 && isLicence(text, place.indices)
    }
  }

  /// Whether a place holds the letter that says behind a slash that somebody has a licence: OTR/L.
  private static func isLicence(_ text: [UInt8], _ part: Range<Int>) -> Bool {
    text.span.isAmong(["L"], part)
  }

  private static func isOne(_ text: [UInt8], _ part: Range<Int>) -> Bool {
    guard let letters = letters(text, part) else { return false }
    return spelling(of: letters) != nil
      || letters.contains(ASCII.minus)
        && letters.split(separator: ASCII.minus).allSatisfy { spelling(of: Array($0)) != nil }
  }

  private static func trimmed(_ text: [UInt8], _ part: Range<Int>) -> Range<Int> {
    let inner = text.span.extracting(part).trimmed()
    return (part.lowerBound + inner.lowerBound)..<(part.lowerBound + inner.upperBound)
  }

  /// Writes what is between two commas: one credential, several that are known, or words.
  private static func append(_ text: [UInt8], _ part: Range<Int>, to scratch: inout [UInt8]) {
    guard !part.isEmpty else { return }
    // Blanks belong to it: PH. D.
    if let whole = letters(text, part), let known = spelling(of: whole) {
      return append(known, to: &scratch)
    }
    let words = text[part].split(separator: 0x20)
    let known = words.map { letters(text, $0.indices).flatMap { spelling(of: $0) } }
    if !known.contains(where: { $0 == nil }) {
      for case let spelling? in known { append(spelling, to: &scratch) }
    } else if words.count == 1, let abbreviation = letters(text, part), abbreviation.count <= longest,
      LetterCase.isUniform(text.span.extracting(part))
    {
      append(abbreviation, to: &scratch)
    } else {
      append(Array(text[part]), to: &scratch)
    }
  }

  private static func append(_ credential: [UInt8], to scratch: inout [UInt8]) {
    if !scratch.isEmpty { scratch += [0x2C, 0x20] }
    scratch += credential
  }

  /// The most letters of an abbreviation that nobody knows.
  private static let longest = 7

  /// The capitals of an abbreviation, and its hyphens, without its points and blanks; nil where it is none:
  /// each point must be behind a letter of its own, or at the end, or the whole must be known.
  private static func letters(_ text: [UInt8], _ part: Range<Int>) -> [UInt8]? {
    var letters: [UInt8] = []
    var (run, hasLongRun, points) = (0, false, 0)
    for place in part {
      let byte = ASCII.upper(text[place])
      switch byte {
      case _ where ASCII.isUpper(byte):
        letters.append(byte)
        run += 1
        hasLongRun = hasLongRun || run > 1
      case ASCII.point, 0x20:
        run = 0
        if place < part.upperBound - 1 { points += 1 }
      case ASCII.minus where !letters.isEmpty && place < part.upperBound - 1:
        letters.append(byte)
        run = 0
      default: return nil
      }
    }
    guard !letters.isEmpty else { return nil }
    return hasLongRun && points > 0 && spelling(of: letters) == nil ? nil : letters
  }

  /// How a credential is written, by its capitals.
  private static func spelling(of letters: [UInt8]) -> [UInt8]? {
    let mixed = mixedCase.first { letters.span.isWord($0.capitals, at: 0..<letters.count) }
    if let mixed {
      return Array(
        UnsafeBufferPointer(start: mixed.spelling.utf8Start, count: mixed.spelling.utf8CodeUnitCount))
    }
    if letters.span.isAmong(capitals, 0..<letters.count) { return letters }
    // M-D.
    let joined = letters.filter { $0 != ASCII.minus }
    return joined.count < letters.count ? spelling(of: joined) : nil
  }

  private static let mixedCase: [(capitals: StaticString, spelling: StaticString)] = [
    ("PHD", "PhD"), ("PHARMD", "PharmD"), ("PSYD", "PsyD"), ("EDD", "EdD"), ("AUD", "AuD"), ("RPH", "RPh"),
    ("DRPH", "DrPH"), ("SCD", "ScD"), ("DSC", "DSc"), ("MED", "MEd"), ("EDM", "EdM"), ("EDS", "EdS"),
    ("SCM", "ScM"), ("MSC", "MSc"), ("BSC", "BSc"), ("MPHIL", "MPhil"), ("LAC", "LAc"), ("DIPLAC", "DiplAc"),
    ("CPHT", "CPhT"), ("PHMD", "PharmD"), ("BPHARM", "BPharm"), ("MBCHB", "MBChB"), ("BCHIR", "BChir"),
    ("PAC", "PA-C"), ("FNPC", "FNP-C"), ("DNSC", "DNSc"), ("DMSC", "DMSc"), ("MSED", "MSEd"),
  ]

  private static let capitals: [StaticString] = [
    "MD", "DO", "DC", "DDS", "DMD", "DPM", "OD", "DVM", "VMD", "ND", "DNP", "DPT", "OTD", "JD", "MBBS", "BDS",
    "MPH", "MBA", "MHA", "MS", "MA", "BS", "BA", "MSN", "BSN", "MSW", "MSPT", "MPT", "MMM", "RN", "LPN",
    "LVN", "NP", "PA", "PA-C", "NP-C", "FNP", "FNP-C", "FNP-BC", "ANP", "ANP-BC", "ANP-C", "PNP", "CPNP",
    "WHNP", "PMHNP", "PMHNP-BC", "APRN", "ARNP", "APN", "CRNP", "RNP", "CNP", "CRNA", "CNM", "CNS", "ACNP",
    "AGNP", "PT", "PTA", "RPT", "OT", "OTR", "SLP", "CCC", "CCC-A", "CCC-SLP", "RD", "RDN", "LD", "LDN",
    "CDE", "CDN", "LCSW", "LICSW", "LMSW", "LSW", "LPC", "LMHC", "LMFT", "LADC", "LPCC", "LCPC", "BCBA",
    "BCPS", "BCPP", "BCOP", "ATC", "CSCS", "CPO", "PC", "PLLC", "FACS", "FACP", "FACC", "FAAP", "FACOG",
    "FACEP", "FAAN", "FAAFP", "FAAOS", "FACR", "FCAP", "EMT", "EMT-P", "IBCLC", "LMT", "CFNP", "WHCNP",
    "PCNS", "RNC", "RPA-C", "ARNP-C", "CNRN", "CCRN", "DNAP", "AGACNP", "AGNP-C", "PMHNP-C", "CAGS", "MSPH",
    "MSSS", "FAAA", "FAGD", "FAAPMR", "FACOI", "FAPA", "FASCRS", "CCC-SP", "CCSP", "DABCO", "DACM", "DAOM",
    "HSPP", "LSATP", "LCMHC", "LMHCA", "LMFTA", "LCDC", "CADC", "CASAC", "RRT", "RDH", "COTA", "DABR",
    "DABFM", "BCACP", "BCCCP", "AAHIVS", "OTA", "OTRL", "RDMS", "RVT", "RVS", "RDCS", "RCS", "RT", "RTR",
    "RTT",
    "CNMT", "MRT", "CST", "CSFA", "CFA", "LAT", "CRT", "RPSGT", "RBT", "BCABA", "BCBA-D", "LBA", "CRC", "CRP",
    "LCAS",
    "LCAS-A", "LCAC", "LPCA", "LPC-A", "LCSWA", "LCSW-A", "LCSW-R", "LGSW", "LISW", "LISW-S", "LBSW",
    "LPCC-S", "LIMHP",
    "LMHP", "LPAT", "LCAT", "MT-BC", "ATR", "ATR-BC", "CTRS", "CLS", "MLS", "MLT", "MT", "SLPA", "CCC-S",
    "CF-SLP",
    "BC-HIS", "LDO", "ABOC", "NCLE", "CPED", "CRTT", "RCP", "RCIS", "CCT", "CMA", "RMA",
    "CNA",
    "HHA", "QMHP", "QMHA", "CPRS", "CPS", "CHW", "LCPO", "CFM", "CLC", "CPM", "LDEM", "RDT",
    "RYT",
    "NCC", "CCMHC", "LAPC", "LICDC", "LCADC", "CDCA", "ICADC", "CAADC", "LADAC", "CRADC",
    "PMHCNS-BC", "ACNS-BC", "CCNS", "NNP", "NNP-BC", "ENP", "ENP-C", "AGPCNP-BC", "AGACNP-BC", "ACNPC-AG",
    "CRNFA",
    "RNFA", "CWOCN", "CWS", "CHT", "OCS", "SCS", "GCS", "NCS", "PCS", "WCS", "CLT", "BSPT", "BSOT", "MOT",
    "MSOT",
    "DSW", "MAOM", "MACP", "MACC", "MFT", "IMFT", "LP", "LMLP", "TLLP", "LSSP", "NCSP", "ABPP",

  ]
}
