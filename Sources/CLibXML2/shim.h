// libxml2's push parser, with callbacks that Swift can be called by.
#pragma once
#include <libxml/xmlversion.h>
// Where libxml2 is built with ICU its headers include ICU's, of which Foundation has its own. Nothing here touches what
// differs by it, the fields of an encoding's handler.
#undef LIBXML_ICU_ENABLED
#include <libxml/parser.h>
#include <stdbool.h>
#include <stdlib.h>

// The version of the library that is loaded, as 20914.
static inline const char *rivulet_xml_version(void) { return xmlParserVersion; }

// What is called as a document is read; names and texts are UTF-8, names end with a zero.
typedef struct {
  // Five pointers for each attribute: local name, prefix, namespace, start and end of the value; and whether the
  // element says what a namespace is called.
  void (*start)(void *user, const unsigned char *name, int count, const unsigned char *const *attributes,
                bool declares);
  void (*end)(void *user, const unsigned char *name);
  void (*text)(void *user, const unsigned char *bytes, int count);
  void (*doctype)(void *user);
} rivulet_xml_events;

typedef struct {
  xmlParserCtxtPtr context;
  rivulet_xml_events events;
  void *user;
} rivulet_xml;

static inline void rivulet_xml_start(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *space,
                                     int spaces, const xmlChar **declared, int count, int defaulted,
                                     const xmlChar **attributes) {
  rivulet_xml *parser = context;
  parser->events.start(parser->user, name, count, attributes, spaces > 0);
}

static inline void rivulet_xml_end(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *space) {
  rivulet_xml *parser = context;
  parser->events.end(parser->user, name);
}

static inline void rivulet_xml_text(void *context, const xmlChar *bytes, int count) {
  rivulet_xml *parser = context;
  parser->events.text(parser->user, bytes, count);
}

static inline void rivulet_xml_doctype(void *context, const xmlChar *name, const xmlChar *identifier,
                                       const xmlChar *system) {
  rivulet_xml *parser = context;
  parser->events.doctype(parser->user);
}

// A parser of one document, which knows the five entities of XML and goes to no network; null where there is
// no memory.
static inline rivulet_xml *rivulet_xml_open(rivulet_xml_events events, void *user) {
  rivulet_xml *parser = (rivulet_xml *)malloc(sizeof *parser);
  if (!parser) return NULL;
  xmlSAXHandler handler = {
      .initialized = XML_SAX2_MAGIC,
      .startElementNs = rivulet_xml_start,
      .endElementNs = rivulet_xml_end,
      .characters = rivulet_xml_text,
      .cdataBlock = rivulet_xml_text,
      .internalSubset = rivulet_xml_doctype,
  };
  parser->context = xmlCreatePushParserCtxt(&handler, parser, NULL, 0, NULL);
  parser->events = events;
  parser->user = user;
  if (!parser->context) {
    free(parser);
    return NULL;
  }
  // Without NOENT the five entities of XML would stay as references in attributes; no others can be declared.
  xmlCtxtUseOptions(parser->context, XML_PARSE_NONET | XML_PARSE_NOENT | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
  return parser;
}

static inline void rivulet_xml_close(rivulet_xml *parser) {
  // Made by the parser itself where a DOCTYPE declares entities, and not freed with it.
  if (parser->context->myDoc) xmlFreeDoc(parser->context->myDoc);
  xmlFreeParserCtxt(parser->context);
  free(parser);
}

static inline void rivulet_xml_parse(rivulet_xml *parser, const char *bytes, int count, bool is_last) {
  xmlParseChunk(parser->context, bytes, count, is_last);
}

// Called from a callback: no more callbacks follow.
static inline void rivulet_xml_stop(rivulet_xml *parser) { xmlStopParser(parser->context); }

// Whether an error has ended the parsing.
static inline bool rivulet_xml_has_failed(const rivulet_xml *parser) { return parser->context->disableSAX != 0; }

// Whether what was read is well-formed so far.
static inline bool rivulet_xml_is_well_formed(const rivulet_xml *parser) { return parser->context->wellFormed != 0; }

// The bytes of the document, in UTF-8, that have been taken.
static inline long rivulet_xml_offset(const rivulet_xml *parser) {
  xmlParserInputPtr input = parser->context->input;
  return input ? (long)input->consumed + (input->cur - input->base) : 0;
}

// The number of what was wrong last, and its line; zero where libxml2 does not say. Its words may quote the document.
static inline int rivulet_xml_fault(const rivulet_xml *parser, int *line) {
  xmlErrorPtr error = xmlCtxtGetLastError(parser->context);
  if (!error) return 0;
  *line = error->line;
  return error->code;
}
