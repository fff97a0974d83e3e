extension ValueType {
  /// What harm would follow from a value that is not of the type, in words.
  public var harmOfOthers: String {
    switch self {
    case .text, .line, .unmarked, .person, .fullName, .suffix, .title, .credential, .organization,
      .postalCode,
      .zipCode, .zip4, .state, .country:
      "bytes that are no text cannot be stored, and a wrong encoding changes names"
    case .code: "characters that no code has come of a wrong encoding, or of a column that was shifted"
    case .modifier: "a modifier that is none takes the place of another price"
    case .flag: "an indicator that is misread changes what is paid, or to whom"
    case .digits: "a number of another length names something else"
    case .hcpcs: "a code that is none is never billed, and takes the place of another"
    case .decimal, .integer: "what is no number cannot be computed with, and zero would be a value"
    case .date, .timestamp, .time: "a wrong day or time moves what is in effect, or who is on call"
    case .npi: "a number with a wrong check digit is nobody's, or somebody else's"
    case .phone, .phoneWithExtension, .phoneExtension: "a caller would reach somebody else"
    case .boolean: "a guess would be wrong as often as right"
    case .uuid: "what refers to the record would not find it"
    case .bytes, .sha256, .json, .texts: "what is inside could not be read again"
    }
  }
}
