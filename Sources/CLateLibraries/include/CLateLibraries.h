// What libpq, where it is linked as an archive, takes from other libraries: from OpenSSL's two, for TLS and a password, from
// GSSAPI, for Kerberos, and from LDAP, for a service that is looked up in a directory.
//
// The functions are ours here, by their own names, and hand on to the library, which is loaded when one of them is first
// called: with all that they bring along these take longer to load than all else at a start, and a connection through a
// Unix socket needs none of them. Where a library is not installed, libpq is told that the function failed.
//
// They are not declared, because nobody but libpq calls them.
#pragma once

// What to tell a user whose connection has failed: which library it wanted that could not be loaded, and what to install.
// NULL where there is none.
const char *missingLibrary(void);
