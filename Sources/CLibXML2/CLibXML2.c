#include "CLibXML2.h"
#include <dlfcn.h>
#include <libxml/parser.h>
#include <pthread.h>
#include <stdlib.h>

// The functions of the library that are used.
#define FUNCTIONS(USE)                                                                                                 \
  USE(xmlCreatePushParserCtxt) USE(xmlCtxtUseOptions) USE(xmlParseChunk) USE(xmlStopParser) USE(xmlCtxtGetLastError)   \
  USE(xmlFreeDoc) USE(xmlFreeParserCtxt)

#define FIELD(name) __typeof__(&name) name;
static struct {
  FUNCTIONS(FIELD)
} library;

static bool isReady = false;

// The one whose declarations this was compiled with.
#if LIBXML_VERSION >= 21400
#define LIBRARY "libxml2.so.16"
#else
#define LIBRARY "libxml2.so.2"
#endif

static void load(void) {
  void *file = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
  if (!file) return;
#define FIND(name)                                                                                                     \
  library.name = (__typeof__(library.name))dlsym(file, #name);                                                         \
  if (!library.name) return;
  FUNCTIONS(FIND)
  isReady = true;
}

bool rivulet_xml_load(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return isReady;
}

struct rivulet_xml {
  xmlParserCtxtPtr context;
  rivulet_xml_events events;
  void *user;
};

static void start(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *space, int spaces,
                  const xmlChar **declared, int count, int defaulted, const xmlChar **attributes) {
  rivulet_xml *parser = context;
  parser->events.start(parser->user, name, count, attributes);
}

static void end(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *space) {
  rivulet_xml *parser = context;
  parser->events.end(parser->user, name);
}

static void text(void *context, const xmlChar *bytes, int count) {
  rivulet_xml *parser = context;
  parser->events.text(parser->user, bytes, count);
}

static void doctype(void *context, const xmlChar *name, const xmlChar *identifier, const xmlChar *system) {
  rivulet_xml *parser = context;
  parser->events.doctype(parser->user);
}

rivulet_xml *rivulet_xml_open(rivulet_xml_events events, void *user) {
  rivulet_xml *parser = malloc(sizeof *parser);
  if (!parser) return NULL;
  xmlSAXHandler handler = {
      .initialized = XML_SAX2_MAGIC,
      .startElementNs = start,
      .endElementNs = end,
      .characters = text,
      .cdataBlock = text,
      .internalSubset = doctype,
  };
  *parser = (rivulet_xml){.context = library.xmlCreatePushParserCtxt(&handler, parser, NULL, 0, NULL), .events = events, .user = user};
  if (!parser->context) {
    free(parser);
    return NULL;
  }
  // Without NOENT the five entities of XML would stay as references in attributes; no others can be declared.
  library.xmlCtxtUseOptions(parser->context, XML_PARSE_NONET | XML_PARSE_NOENT | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
  return parser;
}

void rivulet_xml_close(rivulet_xml *parser) {
  // Made by the parser itself where a DOCTYPE declares entities, and not freed with it.
  if (parser->context->myDoc) library.xmlFreeDoc(parser->context->myDoc);
  library.xmlFreeParserCtxt(parser->context);
  free(parser);
}

void rivulet_xml_parse(rivulet_xml *parser, const char *bytes, int count, bool is_last) {
  library.xmlParseChunk(parser->context, bytes, count, is_last);
}

void rivulet_xml_stop(rivulet_xml *parser) { library.xmlStopParser(parser->context); }

bool rivulet_xml_has_failed(const rivulet_xml *parser) { return parser->context->disableSAX != 0; }

bool rivulet_xml_is_well_formed(const rivulet_xml *parser) { return parser->context->wellFormed != 0; }

long rivulet_xml_offset(const rivulet_xml *parser) {
  xmlParserInputPtr input = parser->context->input;
  return input ? (long)input->consumed + (input->cur - input->base) : 0;
}

const char *rivulet_xml_fault(const rivulet_xml *parser, int *line) {
  xmlErrorPtr error = library.xmlCtxtGetLastError(parser->context);
  if (!error) return NULL;
  *line = error->line;
  return error->message;
}
