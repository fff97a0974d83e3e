// What libpq, where it is linked as an archive, takes from three other libraries: from OpenSSL, for TLS, from GSSAPI, for
// Kerberos, and from LDAP, for a service that is looked up in a directory.
//
// The functions are ours here, by their own names, and hand on to the library, which is loaded when one of them is first
// called: with all that they bring along the three take longer to load than all else at a start, and a connection
// through a Unix socket needs none of them. Where a library is not installed, libpq is told that the function failed.
//
// Nothing is declared, because nobody but libpq calls them.
#pragma once
