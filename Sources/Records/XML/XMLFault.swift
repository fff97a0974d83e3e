import CLibXML2

/// What is wrong with a document in words of our own: those of libxml2 quote names and entities, and where a `<`
/// or a `&` is in a text as it is, what is behind it is one of them.
enum XMLFault {
  /// By the error's number; of the others only that number is said.
  static let words: [Int: String] = [
    number(XML_ERR_DOCUMENT_EMPTY): "it does not begin with a tag",
    number(XML_ERR_DOCUMENT_END): "it ends before its last element does, or goes on behind it",
    number(XML_ERR_TAG_NAME_MISMATCH): "an end tag has another name than the start tag that it closes",
    number(XML_ERR_TAG_NOT_FINISHED): "it ends within an element",
    number(XML_ERR_GT_REQUIRED): "a tag is not closed by a '>'",
    number(XML_ERR_LTSLASH_REQUIRED): "an end tag is not closed",
    number(XML_ERR_NAME_REQUIRED): "no name is behind a '<' or a '&'",
    number(XML_ERR_SPACE_REQUIRED): "a space is missing between attributes",
    number(XML_ERR_ATTRIBUTE_NOT_STARTED): "the value of an attribute has no quotes",
    number(XML_ERR_ATTRIBUTE_NOT_FINISHED): "the value of an attribute is not closed by a quote",
    number(XML_ERR_ATTRIBUTE_WITHOUT_VALUE): "an attribute has no value",
    number(XML_ERR_ATTRIBUTE_REDEFINED): "an element has an attribute twice",
    number(XML_ERR_LT_IN_ATTRIBUTE): "the value of an attribute has a '<'",
    number(XML_ERR_ENTITYREF_SEMICOL_MISSING): "no ';' is behind a '&'",
    number(XML_ERR_UNDECLARED_ENTITY): "it has an entity that is none of XML's own",
    number(XML_ERR_INVALID_CHAR): "it has a character that XML does not allow",
    number(XML_ERR_INVALID_ENCODING): "it has a byte that is no character",
    number(XML_ERR_UNKNOWN_ENCODING): "it is in an encoding that is not known",
    number(XML_ERR_UNSUPPORTED_ENCODING): "it is in an encoding that is not known",
    number(XML_NS_ERR_UNDEFINED_NAMESPACE): "a name has a prefix that is not declared",
  ]

  private static func number(_ error: xmlParserErrors) -> Int { Int(error.rawValue) }
}
