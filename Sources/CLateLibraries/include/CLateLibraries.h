// What libpq, where it is linked as an archive, takes from other libraries: from OpenSSL's two, for TLS and a password, from
// GSSAPI, for Kerberos, and from LDAP, for a service that is looked up in a directory.
//
// The functions are ours here, by their own names, and hand on to the library, which is loaded when one of them is first
// called: with all that they bring along these take longer to load than all else at a start, and a connection through a
// Unix socket needs none of them. Where a library is not installed, libpq is told that the function failed.
//
// They are not declared, because nobody but libpq calls them.
#pragma once

#include <stdbool.h>

// What to tell a user: which library was wanted first that could not be loaded, what to install, and what the loader says.
// NULL where there is none. It is of the calls of this thread, since it was told to forget.
const char *missingLibrary(void);
void forgetMissingLibrary(void);

// Whether a server can be spoken to by TLS.
bool isTLSAvailable(void);
