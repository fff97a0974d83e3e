// Nettle's SHA-256, on a context of the caller's own. It takes nothing from a system, cannot fail, and as an archive it
// adds nothing to a start.
#pragma once
#include <nettle/sha2.h>
