/// Tells the name of an organisation from that of a person by its words.
///
/// ```
/// MERCY HOSPITAL          ACME HOME CARE, INC.        an organisation
/// SMITH, ANNA, MD         Anna Smith                  a person
/// Zeta                                                a person, for want of anything else
/// ```
///
/// What is behind the first comma of a person's name is a name, too, or credentials in words, `Doctor of
/// Pharmacy`: there only a legal form counts.
public enum OrganizationName {
  /// Whether a text is the name of an organisation, as far as its words say.
  public static func isOne(_ text: Span<UInt8>) -> Bool {
    var isFirstPart = true
    var place = 0
    while place < text.count {
      if text[place] == comma { isFirstPart = false }
      guard isOfWord(text[place]) else {
        if isFirstPart, text[place] == UInt8(ascii: "&") { return true }
        place &+= 1
        continue
      }
      let start = place
      while place < text.count, isOfWord(text[place]) { place &+= 1 }
      let word = start..<place
      if text.isAmong(legalForms, word) || isFirstPart && text.isAmong(words, word) { return true }
    }
    return false
  }

  private static let comma = UInt8(ascii: ",")

  /// Letters, digits, points and bytes of other letters.
  private static func isOfWord(_ byte: UInt8) -> Bool {
    LetterCase.isLetter(byte) || ASCII.isDigit(byte) || byte == ASCII.point
  }

  /// What is behind names of companies and behind nobody's: not PA, which is a physician assistant, too.
  private static let legalForms: [StaticString] = [
    "INC", "INC.", "INCORPORATED", "LLC", "L.L.C.", "L.L.C", "LLP", "L.L.P.", "LLLP", "PLLC", "P.L.L.C.",
    "PLC", "LTD", "LTD.", "CORP", "CORP.", "CORPORATION", "COMPANY", "P.C.", "PC", "PSC", "GMBH", "DBA",
  ]

  /// Words of what gives care or sells for it that are no names of people.
  private static let words: [StaticString] = [
    "HOSPITAL", "HOSPITALS", "CLINIC", "CLINICS", "CENTER", "CENTERS", "CENTRE", "CTR", "MEDICAL", "HEALTH",
    "HEALTHCARE", "HLTH", "CARE", "SERVICES", "SERVICE", "SVCS", "ASSOCIATES", "ASSOC", "ASSOCIATION",
    "GROUP", "GRP", "PHARMACY", "PHARMACIES", "PHARMACEUTICALS", "LABORATORY", "LABORATORIES", "LABS",
    "HOSPICE", "NURSING", "REHABILITATION", "REHAB", "SURGERY", "SURGICAL", "SURGICENTER", "IMAGING",
    "RADIOLOGY", "PATHOLOGY", "ANESTHESIA", "ANESTHESIOLOGY", "ORTHOPEDICS", "ORTHOPAEDICS", "PEDIATRICS",
    "CARDIOLOGY", "ONCOLOGY", "UROLOGY", "NEUROLOGY", "DERMATOLOGY", "PSYCHIATRY", "MEDICINE", "DENTISTRY",
    "DENTAL", "ORTHODONTICS", "OPTICAL", "OPTOMETRY", "VISION", "EYECARE", "CHIROPRACTIC", "PODIATRY",
    "THERAPY", "THERAPIES", "THERAPEUTICS", "COUNSELING", "WELLNESS", "AMBULANCE", "EMS", "TRANSPORT",
    "TRANSPORTATION", "SUPPLY", "SUPPLIES", "EQUIPMENT", "DIALYSIS", "INSTITUTE", "FOUNDATION",
    "UNIVERSITY", "SYSTEM", "SYSTEMS", "NETWORK", "PARTNERS", "PARTNERSHIP", "PHYSICIANS", "SPECIALISTS",
    "CONSULTANTS", "SOLUTIONS", "ENTERPRISES", "MANAGEMENT", "DEPARTMENT", "DEPT", "DISTRICT", "COUNTY",
    "REGIONAL", "COMMUNITY", "MEMORIAL", "AGENCY", "TRUST", "STAFFING", "FACILITY", "MANOR", "ASSISTED",
    "LIVING", "TREATMENT", "RECOVERY", "BEHAVIORAL", "DIAGNOSTIC", "DIAGNOSTICS", "INFUSION", "HOMECARE",
    "OF", "THE", "AND", "FOR",
  ]
}
