#include "late.h"
#include "include/CLateLibraries.h"
#include <stdatomic.h>

static const char *_Atomic missing = NULL;

void isMissing(const char *mend) {
  if (mend) missing = mend;
}

const char *missingLibrary(void) { return missing; }
