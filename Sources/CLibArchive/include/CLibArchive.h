// libarchive: zip, tar, 7z and their compressions as streams.
//
// Its functions are ours here, by their own names and for the same types, and hand on to the library, which is loaded
// when one of them is first called: with the dozen of libraries that it brings along its loading would cost every start
// of a program that opens no archive a quarter of its time.
#pragma once
#include <archive.h>
#include <archive_entry.h>
#include <stdbool.h>

// Loads the library; false where it is not installed: what gives a pointer gives null then, and everything else zero.
bool rivulet_archive_load(void);
