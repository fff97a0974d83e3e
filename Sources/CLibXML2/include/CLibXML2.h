// libxml2's push parser, loaded when it is first asked for: with the tables of ICU that it brings along its loading would
// cost every start of a program that reads no XML.
#pragma once
#include <stdbool.h>

// Loads the library; false where it is not installed. Nothing else may be called before, nor after false.
bool rivulet_xml_load(void);

// What is called as a document is read; names and texts are UTF-8, names end with a zero.
typedef struct {
  // Five pointers for each attribute: local name, prefix, namespace, start and end of the value.
  void (*start)(void *user, const unsigned char *name, int count, const unsigned char *const *attributes);
  void (*end)(void *user, const unsigned char *name);
  void (*text)(void *user, const unsigned char *bytes, int count);
  void (*doctype)(void *user);
} rivulet_xml_events;

typedef struct rivulet_xml rivulet_xml;

// A parser of one document, which knows the five entities of XML and goes to no network; null where there is no memory.
rivulet_xml *rivulet_xml_open(rivulet_xml_events events, void *user);
void rivulet_xml_close(rivulet_xml *parser);

void rivulet_xml_parse(rivulet_xml *parser, const char *bytes, int count, bool is_last);
// To be called by what is called: nothing is told any more.
void rivulet_xml_stop(rivulet_xml *parser);

// Whether an error has ended the parsing.
bool rivulet_xml_has_failed(const rivulet_xml *parser);
// Whether what was read is well-formed so far.
bool rivulet_xml_is_well_formed(const rivulet_xml *parser);
// The bytes of the document, in UTF-8, that have been taken.
long rivulet_xml_offset(const rivulet_xml *parser);
// What was wrong last, and its line; null where that is not told.
const char *rivulet_xml_fault(const rivulet_xml *parser, int *line);
