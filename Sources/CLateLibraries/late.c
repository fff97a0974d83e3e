#include "late.h"
#include "include/CLateLibraries.h"

static _Thread_local const char *missing = NULL;

void isMissing(const char *told) {
  if (!missing && *told) missing = told;
}

const char *missingLibrary(void) { return missing; }

void forgetMissingLibrary(void) { missing = NULL; }
